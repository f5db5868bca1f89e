"""Timestamps in any writer's format, as RFC 3339 in UTC."""

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

# A time of day first; what stands before it tells the format. Small patterns, compiled when needed.
_CLOCK: Final = r"(?<!\d)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?![\d:])"
_ZONE: Final = r"\s?(?:(Z|UTC|GMT)\b|([+-])(\d\d):?(\d\d)(?!\d))"
_ZONES: Final = frozenset("ZUG+-")
_HALF: Final = r"\s?([AaPp])\.?[Mm]\b"
_HALVES: Final = frozenset("AaPp")
_ISO: Final = r"(?<!\d)(\d{4})([-/])(\d\d)\2(\d\d)(?:T| {1,2}|\t|\\t)$"
_KLOG: Final = r"(?<![A-Za-z0-9])[IWEFD](\d\d)(\d\d) $"
_DAY_FIRST: Final = r"(?<!\d)(\d\d?)[ /-]([A-Z][a-z]{2})[ /-](\d{4})[ :]$"
_MONTH_FIRST: Final = r"\b([A-Z][a-z]{2}) {1,2}(\d\d?)(?:,? (\d{4}))?,? $"
_WINDOWS: Final = r"(?<![\d/])(\d\d?)/(\d\d?)/(\d{4}),? $"
_YEAR_AFTER: Final = r"(?: [A-Z]{3,4})? (\d{4})(?!\d)"
_EPOCH: Final = r"\b(?:ts|time|timestamp)\"?\s?[:=]\s?\"?(1\d{9})(\d{3})?(?:\.(\d{1,9}))?(?![\d.])"
_EPOCH_FIELDS: Final = ("ts", "time")
_LONE_EPOCH: Final = r"(1\d{9})(\d{3})?(?:\.(\d{1,9}))?"
_LONE_DATE: Final = r"(\d{4})-(\d\d)-(\d\d)"
_LONE_REST: Final = r"(?:(?:[A-Z][a-z]{2,8},? )?\s?|(?: ?[A-Z]{3,4})?)"
_MONTH_NAMES: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_KUBERNETES: Final = (
    r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ"
)
_MONTHS: Final = {
    name: at // 4 + 1 for at in range(0, 48, 4) for name in (_MONTH_NAMES[at : at + 3],)
}
_LONGEST_DATE: Final = 24
# Where a record's own time can stand; what comes later is quoted from elsewhere.
_HEAD: Final = 16_384
_MOST_CLOCKS: Final = 50
_NOON: Final = 12


class _Date(NamedTuple):
    year: int
    month: int
    day: int
    start: int


class _Found(NamedTuple):
    """A time in a text and where it stands; empty when its writer left the year out."""

    value: str
    start: int
    end: int


def time_in(record: str, year: int | None = None) -> str:
    """The first time that a record states, or an empty string. Some writers leave out the year."""
    found = _first(record[:_HEAD], year or 0)
    return found.value if found else ""


def normal(value: str) -> str:
    """A lone timestamp out of a document, or an empty string if it is none."""
    if re.fullmatch(_KUBERNETES, value):
        # As every Kubernetes document writes it, by the hundred thousand: already normal.
        return value
    value = value.strip().strip("\"'")
    if match := re.fullmatch(_LONE_DATE, value):
        return _utc(_Date(int(match[1]), int(match[2]), int(match[3]), 0), (0, 0, 0), "")
    if match := re.fullmatch(_LONE_EPOCH, value):
        return _from_epoch(match)
    found = _first(value[:_HEAD], 0)
    around = value[: found.start] + value[found.end :] if found else ""
    return found.value if found and re.fullmatch(_LONE_REST, around) else ""


def seconds_between(earlier: str, later: str) -> float:
    """How much time lies between two times in their normal form."""
    from datetime import datetime  # noqa: PLC0415 - slow to import; most pasted texts need it not

    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def _first(text: str, year: int) -> _Found | None:
    found = _first_dated_clock(text, year)
    if not any(field in text for field in _EPOCH_FIELDS):
        return found
    match = re.search(_EPOCH, text)
    if match and (not found or match.start() < found.start):
        return _Found(_from_epoch(match), match.start(), match.end())
    return found


def _first_dated_clock(text: str, year: int) -> _Found | None:
    for clock in islice(re.finditer(_CLOCK, text), _MOST_CLOCKS):
        before = text[max(0, clock.start() - _LONGEST_DATE) : clock.start()]
        date = _numeric_date(before, year) or _named_date(before, text[clock.end() :][:10], year)
        if date:
            start = clock.start() - len(before) + date.start
            return _dated(text, clock, date, start)
    return None


def _numeric_date(before: str, year: int) -> _Date | None:
    is_parted = "-" in before or "/" in before
    if is_parted and (match := re.search(_ISO, before)):
        return _Date(int(match[1]), int(match[3]), int(match[4]), match.start())
    if match := re.search(_KLOG, before):
        return _Date(year, int(match[1]), int(match[2]), match.start())
    if is_parted and (match := re.search(_WINDOWS, before)):
        return _Date(int(match[3]), int(match[1]), int(match[2]), match.start())
    return None


def _named_date(before: str, after: str, year: int) -> _Date | None:
    match = re.search(_DAY_FIRST, before)
    if match and match[2] in _MONTHS:
        return _Date(int(match[3]), _MONTHS[match[2]], int(match[1]), match.start())
    match = re.search(_MONTH_FIRST, before)
    if not match or match[1] not in _MONTHS:
        return None
    later = re.match(_YEAR_AFTER, after)
    written = match[3] or (later[1] if later else "") or year
    return _Date(int(written), _MONTHS[match[1]], int(match[2]), match.start())


def _dated(text: str, clock: re.Match[str], date: _Date, start: int) -> _Found:
    hour, end = int(clock[1]), clock.end()
    offset = 0
    # One of two signs tells whether there is such a thing at all.
    signs = frozenset(text[end : end + 2])
    if signs & _HALVES and (half := re.compile(_HALF).match(text, end)):
        hour, end = hour % _NOON + (_NOON if half[1] in "Pp" else 0), half.end()
    elif signs & _ZONES and (zone := re.compile(_ZONE).match(text, end)):
        offset, end = _offset(zone), zone.end()
    # A leap second is the last of its minute.
    second = min(int(clock[3] or 0), 59)
    value = _utc(date, (hour, int(clock[2]), second), clock[4] or "", offset)
    return _Found(value, start, end)


def _offset(zone: re.Match[str]) -> int:
    """The minutes that a clock is ahead of UTC."""
    if zone[1]:
        return 0
    size = 60 * int(zone[3]) + int(zone[4])
    return size if zone[2] == "+" else -size


def _utc(date: _Date, clock: tuple[int, int, int], fraction: str, offset: int = 0) -> str:
    if not date.year:
        return ""
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - as above

    try:
        at = datetime(date.year, date.month, date.day, *clock, tzinfo=UTC)
        at -= timedelta(minutes=offset)
    except (ValueError, OverflowError):
        return ""
    # Go writes a time that was never set as the year 1.
    return _rendered(at, fraction) if at.year > 1 else ""


def _from_epoch(match: re.Match[str]) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415 - as above

    return _rendered(datetime.fromtimestamp(int(match[1]), UTC), match[2] or match[3] or "")


def _rendered(at: "datetime", fraction: str) -> str:
    milliseconds = fraction[:3].ljust(3, "0")
    tail = "" if milliseconds == "000" else f".{milliseconds}"
    return f"{at.year:04}-{at:%m-%dT%H:%M:%S}{tail}Z"
