"""Azure resources behind names: private DNS zones, their links and records."""
