"""Kubernetes objects that say which traffic may pass: network policies of all kinds."""
