"""One file is one failure mode; its id is its path."""
