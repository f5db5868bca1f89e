"""The only package that reads the world."""
