"""Tells what has passed in a log: programs that are well complain, too, now and then.

A connection that broke once, a start in an order that took two attempts, a request that was one too
many. Of such signatures (`passes`) one counts only while it lasts: it came often, or the log does
not go on long enough to show that it came no more. Others end with a word of success (`ended_by`),
and some come all day where many are served (`common`): of these, one among many lines says nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sickbay.bundle.times import seconds_between, time_in
from sickbay.engine.confirm import Pattern
from sickbay.model.finding import Weight
from sickbay.record import NamedTuple
from sickbay.rulekit.signature import Signature

if TYPE_CHECKING:
    from sickbay.engine.ledger import Entry, Ledger

# So much of the beginning and of the end of a log tells when it was written.
ENOUGH: Final = 32_768
_ONE_LINE: Final = 1_024
# Whoever tries again waits no longer than this, but for a few that `passes` is not said of.
_QUIET: Final = 600
_FEW: Final = 4
_SECONDS_FOR_EACH: Final = 1_800
# In a log without times, one in some hundred lines is rare.
_BYTES_FOR_EACH: Final = 40_000
# What is common is rare in so much, and in less if the log goes on for a while after it.
_BYTES_FOR_EACH_COMMON: Final = 12_000
_BYTES_FOR_EACH_LEFT_BEHIND: Final = 4_000
_A_WHILE: Final = 4_000
# What whoever tried again says at last, whatever it was.
_AT_LAST: Final = (
    r"(?i)\b(?:successfully|(?:re)?connected|recovered|connection (?:established|restored)|"
    r"is (?:up|ready|healthy)(?: now| again)?|serving securely|exit(?:ing with)? (?:code:? )?0)\b"
)
# A person tells how it goes ("after I restart it, it is up again"): that is no program's word.
_TOLD: Final = (
    r"\bI(?:'\w{1,2})? [a-z]|\b(?:[Ww]e(?:'\w{1,2})?|[Mm]y|[Oo]ur|[Yy]ou) [a-z]|"
    r"\b[Ii]t(?:'s| is| was| gets| works| worked| comes| goes| recovers| reconnects) |"
    r"\b(?:[Aa]fter|[Ww]hen|[Uu]ntil|[Oo]nce) (?:a|an|the|some|restart|reboot|delet|kill|scal)\w* |"
    r"(?i)\bfor (?:a|some) (?:while|time|few)\b|\?\s*$"
)
_NOT_YET: Final = (
    # "Any resources that successfully completed" says nothing of the one that did not.
    r"(?i)\b(?:fail|error|unable|cannot|could not|not |never |no longer |last |unsuccess|"
    r"that successfully)"
    # Codes say it in their midst: ContainerNotRunning, ImagePullError.
    r"|(?-i:[a-z](?:Not[A-Z]|Error|Fail|Unable))"
)
# Whoever did one thing says in its last lines how it went.
_LAST_WORDS: Final = 240
# Some writers leave the year out, also beside others that do not; all are put into one.
_SOME_YEAR: Final = 2000


class Extent(NamedTuple):
    """How far a log reaches: its size, its first lines and its last."""

    size: int
    head: bytes
    tail: bytes

    def span(self) -> tuple[str, str]:
        """When it begins and when it ends, as far as its lines say."""
        first = (time for line in self.head.split(b"\n") if (time := _time(line)))
        last = (time for line in reversed(self.tail.split(b"\n")) if (time := _time(line)))
        return next(first, ""), next(last, "")


def over(
    ledger: "Ledger", extent: Extent, signature_of: Callable[[int], Signature]
) -> frozenset[int]:
    """The signatures that were heard in a log and are over."""
    by_number: dict[int, list[Entry]] = {}
    for number, entry in ledger.entries():
        by_number.setdefault(number, []).append(entry)
    ended = {
        number
        for number, entries in by_number.items()
        if _is_ended_by(signature_of(number).ended_by, entries, extent)
        or (signature_of(number).common and _is_rare(entries, extent))
        or (_passes(signature_of(number)) and _is_made_good(entries, extent))
    }
    left = {n: entries for n, entries in by_number.items() if _passes(signature_of(n))}
    if not left.keys() - ended:
        return frozenset(ended)
    begin, end = extent.span()
    passed = {
        number
        for number, entries in left.items()
        if (
            _has_ended(entries, begin, end)
            if begin and end
            else _times(entries) <= extent.size // _BYTES_FOR_EACH
        )
    }
    return frozenset(ended | passed)


def done_with(
    ledger: "Ledger", extent: Extent, signature_of: Callable[[int], Signature]
) -> frozenset[int]:
    """The signatures that were heard in the log of a deed which came to a good end."""
    if not _ends_well(extent.tail[-_LAST_WORDS:]):
        return frozenset()
    return frozenset(number for number, _ in ledger.entries() if _passes(signature_of(number)))


def _passes(signature: Signature) -> bool:
    """Whether it may be over: of some it is said, and a symptom that is over is none."""
    return signature.passes or signature.weight is Weight.SYMPTOM


def _is_ended_by(pattern: str, entries: list["Entry"], extent: Extent) -> bool:
    """Whether the end of a log shows that all went well after the last complaint."""
    if not pattern:
        return False
    place = _last_place(entries, extent)
    # The words of the complaint itself (No connection established) are none of success.
    rest = extent.tail[place:].partition(b"\n")[2] if place >= 0 else extent.tail
    return Pattern(pattern).captures(rest) is not None


def _is_made_good(entries: list["Entry"], extent: Extent) -> bool:
    """Whether few complaints were followed by a word of success, and that by none.

    What somebody tries by hand may fail and succeed in turns: that is not over.
    """
    if _times(entries) >= _FEW:
        return False
    place = max(_last_place(entries, extent), 0)
    rest = extent.tail[place:].partition(b"\n")[2]
    is_typed = not any(_time(line) for line in extent.tail.split(b"\n"))
    return _ends_well(rest) and not (is_typed and _ends_well(extent.tail[:place]))


def _ends_well(text: bytes) -> bool:
    success, denial, told = Pattern(_AT_LAST), Pattern(_NOT_YET), Pattern(_TOLD)
    return any(
        success.captures(line) is not None
        and denial.captures(line) is None
        # Only programs write the time before what they say.
        and (bool(_time(line)) or told.captures(line) is None)
        for line in text.split(b"\n")
    )


def _last_place(entries: list["Entry"], extent: Extent) -> int:
    """Where in the end of a log the last complaint stands; negative if before."""
    lasts = [entry.line or entry.latest.text.encode("utf-8", "replace") for entry in entries]
    return max(extent.tail.rfind(line[:_ONE_LINE].partition(b"\n")[0]) for line in lasts)


def _is_rare(entries: list["Entry"], extent: Extent) -> bool:
    """Whether one of many lines complains, or one of some, and the log goes on."""
    times = _times(entries)
    if times <= extent.size // _BYTES_FOR_EACH_COMMON:
        return True
    left = len(extent.tail) - max(_last_place(entries, extent), 0)
    return times <= extent.size // _BYTES_FOR_EACH_LEFT_BEHIND and left > _A_WHILE


def _has_ended(entries: list["Entry"], begin: str, end: str) -> bool:
    lasts = [_last(entry) for entry in entries]
    if not all(lasts) or seconds_between(max(lasts), end) < _QUIET:
        return False
    return _times(entries) <= max(_FEW, seconds_between(begin, end) / _SECONDS_FOR_EACH)


def _times(entries: list["Entry"]) -> int:
    return sum(entry.times for entry in entries)


def _last(entry: "Entry") -> str:
    """When it was said last: of a record of several lines (a table of conditions) the latest."""
    return _latest(entry.line) or _latest(entry.latest.text.encode("utf-8", "replace"))


def _latest(record: bytes) -> str:
    return max((_time(line) for line in record[:ENOUGH].split(b"\n")), default="")


def _time(line: bytes) -> str:
    time = time_in(line[:ENOUGH].decode("utf-8", "replace"), _SOME_YEAR)
    return f"{_SOME_YEAR}{time[4:]}" if time else ""
