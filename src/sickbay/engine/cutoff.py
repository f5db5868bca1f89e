"""Reads a text that breaks off in the middle of an error.

If a pattern would match with a few more words, and most of what it spells out is there, the text
most likely went on so. That is typical of a cause and never proof of one.
"""

import re
from typing import Final

from sickbay.bundle.unwrap import normal
from sickbay.engine.catalog import Catalog
from sickbay.engine.confirm import Pattern
from sickbay.engine.needs import Words
from sickbay.engine.unfinished import Begun, Continuation, continuations
from sickbay.model.finding import Weight
from sickbay.record import NamedTuple
from sickbay.rulekit.signature import Signature

# What is longer is a log, and breaks off anywhere.
_LONGEST: Final = 16_000
_END: Final = 1_500
# So much of what a pattern spells out must be there, or its words could be anybody's.
_LEAST: Final = 14
_MUCH: Final = 24
_SHORTEST: Final = 16
_MOST_OPEN: Final = 2 / 3
# What is behind a gap counts so much more.
_FAR: Final = 3
_MOST_MISSING: Final = 40
_FEW_MISSING: Final = 16
# A pattern of which nearly as much is there is as good, and what is less from its end better.
_NEARLY: Final = 0.7
# A known text that ends with the same words says that they may be the last ones.
_LAST_WORDS: Final = 16
_WHOLE: Final = (".", "!", "?", ")", "]", "}", ":", ";")


class Ending(NamedTuple):
    """The words at which a text breaks off, and the signature whose pattern they begin."""

    number: int
    rule: str
    words: str
    seen: int
    missing: int


def ending(catalog: Catalog, data: bytes, rivals: int) -> Ending | None:
    """How a text breaks off, if it does and no more rules than these go on so."""
    whole = normal(_last_line(data)).rstrip()
    text = _before_name(whole)
    if len(data) > _LONGEST or len(text) < _SHORTEST or text.endswith(_WHOLE):
        return None
    begun = Begun(text)
    found = [
        one
        for number in catalog.index.signatures
        if begun.may_go_on(catalog.signature(number)[1].pattern, catalog.words(number))
        if (one := _ending(catalog, number, text) or _closed(catalog, number, text, whole))
    ]
    if not found or _may_be_whole(catalog, text.lower()):
        return None
    enough = max(one.seen for one in found) * _NEARLY
    most = _MOST_MISSING if rivals > 1 else _FEW_MISSING
    best = [one for one in found if one.seen >= enough and one.missing <= most]
    if not 0 < len({one.rule for one in best}) <= rivals:
        return None
    return min(best, key=lambda one: (one.missing, -one.seen, one.rule))


class CutCatalog(Catalog):
    """A catalogue in which one signature is known by the words at which a text breaks off."""

    def __init__(self, whole: Catalog, found: Ending) -> None:
        super().__init__(whole.index)
        self._found = found

    def signature(self, number: int) -> tuple[str, Signature]:
        rule, strict = super().signature(number)
        if number != self._found.number:
            return rule, strict
        weight = Weight.TYPICAL if strict.weight is Weight.DECISIVE else strict.weight
        says = "the text breaks off; whole, such a message reads: " + normal(strict.sample)
        return rule, strict._replace(
            pattern=re.escape(self._found.words), unless="", says=_plain(says), weight=weight
        )

    def words(self, number: int) -> Words:
        return ((),) if number == self._found.number else super().words(number)


class EndMatcher:
    """Finds the end of a text."""

    def __init__(self, found: Ending) -> None:
        self._number = found.number

    def scan(self, buffer: bytes) -> list[tuple[int, int]]:
        return [(self._number, len(buffer.rstrip()))]


def _ending(catalog: Catalog, number: int, text: str) -> Ending | None:
    """What is least from its end of all that a signature's pattern would go on with."""
    rule, signature = catalog.signature(number)
    ways = [one for one in continuations(signature.pattern, text) if _is_telling(one)]
    if not ways or (signature.unless and Pattern(signature.unless).begin(text.encode()) >= 0):
        return None
    pattern, known = Pattern(signature.pattern), text.encode()
    for one in sorted(ways, key=lambda one: (one.missing, -one.seen)):
        rest = one.rest.encode()
        begin = pattern.begin(known + rest)
        # What is in the rest alone says nothing of the text.
        if 0 <= begin < len(known) and pattern.begin(rest) < 0:
            words = known[begin:].decode("utf-8", "ignore")
            return Ending(number, rule, words, one.seen, one.missing)
    return None


def _closed(catalog: Catalog, number: int, text: str, whole: str) -> Ending | None:
    """What a text says whose last name has lost its end."""
    if text == whole:
        return None
    rule, signature = catalog.signature(number)
    known = whole.encode()
    begin = Pattern(signature.pattern).begin(known + b'"')
    if begin < 0:
        return None
    words = known[begin:].decode("utf-8", "ignore")
    return Ending(number, rule, words, seen=len(words), missing=0)


def _is_telling(one: Continuation) -> bool:
    # What ends before a colon may be whole: the cause stands behind it, or nowhere.
    is_name = one.rest.startswith(":")
    # So may what ends with a whole word.
    least = _MUCH if one.rest.startswith(" ") else _LEAST
    is_near = one.beyond * _FAR <= one.seen
    return is_near and not is_name and one.seen >= max(least, one.missing * _MOST_OPEN)


def _may_be_whole(catalog: Catalog, low: str) -> bool:
    """Whether a text that we know ends with these words."""
    return any(
        normal(known).rstrip().lower().endswith(low[-_LAST_WORDS:])
        for signature in catalog.signatures()
        for known in (signature.sample, signature.near_miss)
    )


def _last_line(data: bytes) -> str:
    return data[-_END:].rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")


def _before_name(text: str) -> str:
    """The text without a name in which it breaks off."""
    before, _, name = text.rpartition('"')
    return text if text.count('"') % 2 == 0 or " " in name else before.rstrip()


def _plain(says: str) -> str:
    """Without braces, which would be filled in."""
    return says.replace("{", "(").replace("}", ")")
