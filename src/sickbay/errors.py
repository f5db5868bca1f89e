"""What a user can run into: each error says what is wrong and what to do."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes that scripts rely on."""

    HEALTHY = 0
    SICK = 1
    USER_MUST_ACT = 2
    COULD_NOT_LOOK = 3
    DEFECT = 70


class SickbayError(Exception):
    """The user must act: one clear line, and the hint that helps."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message = message
        self.hint = hint
