"""Finds out why an Azure Kubernetes estate is ill, proves it, and treats it."""

__version__ = "0.1.0"
