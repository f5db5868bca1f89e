"""What is wrong with a pattern, and what to write instead."""


class PatternError(ValueError):
    """A pattern that cannot be looked for."""

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"pattern {pattern!r}: {why}")
        self.pattern = pattern
        self.why = why
