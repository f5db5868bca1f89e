"""A simulated Azure to learn, demonstrate and test on; it knows nothing of rules or engine."""
