"""The clock, and the times that a user writes: `2h`, `1d6h`, a date, or a whole time."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from sickbay.errors import SickbayError

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO: Final = re.compile(r"(?:\d{1,5}[mhdw])+")
_STEP: Final = re.compile(r"(\d+)([mhdw])")
_HINT: Final = "use 90m, 2h, 3d, 1d6h, 2026-01-31 or 2026-01-31T10:00:00Z (UTC)"


def now() -> str:
    """The time, as every report writes it."""
    return written(datetime.now(UTC))


def written(at: datetime) -> str:
    return f"{at.year:04}-{at:%m-%dT%H:%M:%SZ}"


def before(at: str, **span: int) -> str:
    """A time so much earlier than another."""
    return written(datetime.fromisoformat(at) - timedelta(**span))


def moment_of(word: str, today: str) -> str:
    """The time that a user means: so long ago, or at that time; SickbayError if it is neither."""
    text = word.strip()
    ago = text.casefold().removesuffix("ago").strip()
    if _AGO.fullmatch(ago):
        spans = [timedelta(**{_UNITS[unit]: int(n)}) for n, unit in _STEP.findall(ago)]
        try:
            return written(datetime.fromisoformat(today) - sum(spans, timedelta()))
        except OverflowError:
            raise SickbayError(f"{word} is too long ago", _HINT) from None
    from sickbay.bundle.times import normal

    found = normal(text)
    if not found:
        raise SickbayError(f"{word} is no time", _HINT)
    return found
