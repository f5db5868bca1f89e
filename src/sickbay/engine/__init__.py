"""Pure functions from a catalogue and a snapshot to a diagnosis."""
