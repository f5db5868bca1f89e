"""Cuts a text of any size into parts that can be redacted one by one without losing a secret.

A cut lies where both sides, redacted alone, give what they give together: not inside a secret, nor
between a secret and the word that tells it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

_AROUND: Final = 8 * 1024
_ATTEMPTS: Final = 50
_SPACE: Final = re.compile(rb"\s")
# The best first; the last is any place between two characters, one in a thousand of them.
_ENDINGS: Final = (re.compile(rb"\n"), _SPACE, re.compile(rb"(?s)[\x00-\x7f].{0,999}"))
_MARK: Final = b" \xc2\xabremoved:seam\xc2\xbb "


def parts(blocks: Iterable[bytes], size: int, clean: Callable[[str], str]) -> Iterator[bytes]:
    """Join blocks into parts of about one size; they end at line ends, if lines end at all."""
    held = bytearray()
    for block in blocks:
        held += block
        if len(held) < size + 2 * _AROUND:
            continue
        cut = next(filter(None, (_seam(held, ending, clean) for ending in _ENDINGS)), 0)
        if cut:
            yield bytes(held[:cut])
            del held[:cut]
        elif len(held) >= 2 * size:
            # Nowhere is safe, so what stands around the cut goes.
            yield bytes(held[: -2 * _AROUND]) + _MARK
            held = held[-_AROUND:]
            del held[: _safe_start(held)]
    if held:
        yield bytes(held)


def _seam(held: bytearray, ending: re.Pattern[bytes], clean: Callable[[str], str]) -> int:
    """The end of a safe part, or 0; only the last stretch is searched, from its beginning."""
    begin = len(held) - _AROUND - min(len(held) // 4, 256 * 1024)
    for attempt, found in enumerate(ending.finditer(held, begin, len(held) - _AROUND)):
        if attempt == _ATTEMPTS:
            break
        if _is_safe(held, found.start() + 1, clean):
            return found.start() + 1
    return 0


def _is_safe(held: bytearray, cut: int, clean: Callable[[str], str]) -> bool:
    before = held[max(0, cut - _AROUND) : cut].decode("utf-8", "replace")
    behind = held[cut : cut + _AROUND].decode("utf-8", "replace")
    return clean(before) + clean(behind) == clean(before + behind)


def _safe_start(held: bytearray) -> int:
    """Behind the stretch without spaces that the cut went through, as far as it is known to go."""
    found = _SPACE.search(held)
    return found.end() if found else len(held)
