"""Kubernetes objects that bring traffic to pods: slices of endpoints, gateways and routes."""
