"""Pure evaluators of network facts: no I/O, no client library."""
