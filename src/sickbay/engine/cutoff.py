"""Reads a text that breaks off in the middle of an error, by the samples of the rules.

If its last words stand in a sample, and with the rest of that sample it would say what the
signature means, it most likely said so. That is typical of a cause and never proof of one.
"""

import re
from collections.abc import Callable
from typing import Final

from sickbay.bundle.unwrap import normal
from sickbay.engine.catalog import Catalog
from sickbay.engine.confirm import Pattern
from sickbay.engine.needs import Words
from sickbay.model.finding import Weight
from sickbay.record import NamedTuple
from sickbay.rulekit.signature import Signature

# What is longer is a log, and breaks off anywhere.
_LONGEST: Final = 16_000
_END: Final = 1_500
# So much of a sample must stand at the end, or its words could be anybody's.
_LEAST: Final = 16
_MOST_MISSING: Final = 120
_FEW_MISSING: Final = 30
# An ending that says nearly as much of its sample is as good, and what is less from its end better.
_NEARLY: Final = 0.7
_NAME: Final = r'"[^"]{0,300}"'
_NO_NAME: Final = '"x"'
_ADDRESS: Final = r"\b\d{1,3}(?:\.\d{1,3}){3}\b"
_NO_ADDRESS: Final = "9.9.9.9"
_WHOLE: Final = (".", "!", "?", ")", "]", "}", ":", ";")


class Ending(NamedTuple):
    """The words at which a text breaks off, and the signature in whose sample they stand."""

    number: int
    words: str
    missing: int
    # Or else all that the signature wants is missing, and the words may be anybody's.
    is_begun: bool


def ending(catalog: Catalog, data: bytes, rivals: int) -> Ending | None:
    """How a text breaks off, if it does and no more rules than these go on so."""
    text = _before_name(normal(data[-_END:].decode("utf-8", "replace")).rstrip())
    if len(data) > _LONGEST or len(text) < _LEAST or text.endswith(_WHOLE):
        return None
    found = [one for number in catalog.index.signatures if (one := _ending(catalog, number, text))]
    if not found or _is_whole(catalog, max((one.words for one in found), key=len)):
        return None
    enough = max(len(one.words) for one in found) * _NEARLY
    most = _MOST_MISSING if rivals > 1 else _FEW_MISSING
    best = [one for one in found if len(one.words) >= enough and one.missing <= most]
    if not 0 < len({catalog.rule_of(one.number) for one in best}) <= rivals:
        return None
    first = min(best, key=lambda one: (one.missing, -len(one.words), catalog.rule_of(one.number)))
    return first if first.is_begun else None


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
            pattern=_pattern(self._found.words), unless="", says=_plain(says), weight=weight
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
    signature = catalog.signature(number)[1]
    sample = _unnamed(normal(signature.sample))
    # What ends in a number may be whole, and the number be what matters.
    alike = _nowhere if text[-1].isalpha() else _unnamed
    words = _shared(alike(_unnamed(text)), alike(sample))
    if not words:
        return None
    rest = sample[_end_of(words, sample, alike) :][:_MOST_MISSING]
    pattern = Pattern(signature.pattern)
    if not rest or not _is_in(pattern, text + rest):
        return None
    if signature.unless and _is_in(Pattern(signature.unless), text):
        return None
    ends = [found.end() for found in re.finditer(r"\w+|\W", rest)]
    missing = next(end for end in ends if _is_in(pattern, text + rest[:end]))
    return Ending(number, words, missing, is_begun=not _is_in(pattern, rest))


def _is_whole(catalog: Catalog, words: str) -> bool:
    """Whether a text that we know ends with these words."""
    return any(
        _nowhere(_unnamed(normal(known))).rstrip().lower().endswith(_nowhere(words).lower())
        for signature in catalog.signatures()
        for known in (signature.sample, signature.near_miss)
    )


def _shared(text: str, sample: str) -> str:
    """The longest end of a text that stands in a sample, from the beginning of a word."""
    if text[-_LEAST:] not in sample:
        return ""
    size = _LEAST
    while size < len(text) and text[-size - 1 :] in sample:
        size += 1
    shared = text[-size:]
    if size < len(text) and text[-size - 1].isalnum() and shared[0].isalnum():
        shared = shared.partition(" ")[2]
    return shared if len(shared) >= _LEAST and " " in shared else ""


def _unnamed(text: str) -> str:
    """The text with what it quotes left out: names differ."""
    return re.sub(_NAME, _NO_NAME, text)


def _nowhere(text: str) -> str:
    """The text with all of its addresses the same: where a connection goes differs, too."""
    return re.sub(_ADDRESS, _NO_ADDRESS, text)


def _end_of(words: str, sample: str, alike: Callable[[str], str]) -> int:
    """Where words end in a sample that is made alike only for the comparison."""
    end = alike(sample).find(words) + len(words)
    return next(at for at in range(len(sample) + 1) if len(alike(sample[:at])) >= end)


def _before_name(text: str) -> str:
    """The text without a name in which it breaks off."""
    return text if text.count('"') % 2 == 0 else text.rpartition('"')[0].rstrip()


def _pattern(words: str) -> str:
    plain = re.escape(words).replace(re.escape(_NO_NAME), _NAME)
    return plain.replace(re.escape(_NO_ADDRESS), _ADDRESS)


def _is_in(pattern: Pattern, text: str) -> bool:
    return pattern.captures(text.encode("utf-8", "replace")) is not None


def _plain(says: str) -> str:
    """Without braces, which would be filled in."""
    return says.replace("{", "(").replace("}", ")")
