"""Renderings of a diagnosis. Each takes the diagnosis and gives text; none does I/O."""
