"""Makes any text safe to show and fits it into columns; orders to a terminal become signs."""

from typing import Final

ELLIPSIS: Final = "…"

_SIGNS: Final = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    **{code: f"\\x{code:02x}" for code in range(0x80, 0xA0)},
    **dict.fromkeys(map(ord, "\t\n\v\f\r\x85\xa0\u2028\u2029"), " "),
    0x7F: "\u2421",
}
_BREAKS_AFTER: Final = "/.,;:=&?-_"
_BREAK_WITHIN: Final = 20
_MOST_LINES: Final = 60
_MOST_MARKS: Final = 2


def visible(text: str) -> str:
    """Return one line without control characters, invisible characters and changes of direction."""
    text = text.translate(_SIGNS)
    return text if _is_plain(text) else _without_odd(text)


def width(text: str) -> int:
    """How many columns a visible text takes."""
    if _is_plain(text):
        return len(text)
    # Loading the character database takes longer than writing the report, and few reports need it.
    from unicodedata import category, east_asian_width  # noqa: PLC0415

    return sum(
        0 if category(sign) in {"Mn", "Me"} else 2 if east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def shorten(text: str, most: int) -> str:
    """Return a text of at most so many columns; a long one loses its middle."""
    room = 4 * most
    text = visible(text if len(text) <= 2 * room else f"{text[:room]}{ELLIPSIS}{text[-room:]}")
    if width(text) <= most:
        return text
    tail = _tail(text, (most - 1) // 2)
    return _head(text, most - 1 - width(tail)) + ELLIPSIS + tail


def pad(text: str, columns: int) -> str:
    """Fill a text with spaces up to a column."""
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int, most: int = _MOST_LINES) -> list[str]:
    """Break a text into lines of so many columns; an ellipsis shows what went beyond the last."""
    room = columns * (most + 1)
    lines = _filled(visible(text[:room]), columns)
    if len(text) <= room and len(lines) <= most:
        return lines
    lines = lines[:most] or [""]
    lines[-1] = f"{_head(lines[-1], columns - 2).rstrip()} {ELLIPSIS}"
    return lines


def pieces(word: str, columns: int) -> list[str]:
    """Break a word that is too long for a line, behind a sign that divides it when one is near."""
    found = []
    at = 0
    # A base sign carries few marks, so a line never needs more than this of the word.
    window = columns * (_MOST_MARKS + 1) + 1
    while len(word) - at > window or width(word[at:]) > columns:
        piece = _head(word[at : at + window], columns) or word[at]
        near = max(piece.rfind(sign, len(piece) - _BREAK_WITHIN) for sign in _BREAKS_AFTER) + 1
        found.append(piece[:near] if near else piece)
        at += len(found[-1])
    return [*found, word[at:]] if word[at:] else found


def _filled(text: str, columns: int) -> list[str]:
    lines: list[str] = []
    line = ""
    taken = 0
    for word in text.split():
        size = width(word)
        if line and taken + 1 + size <= columns:
            line, taken = f"{line} {word}", taken + 1 + size
            continue
        if line:
            lines.append(line)
        *whole, line = pieces(word, columns)
        lines += whole
        taken = width(line)
    return [*lines, line] if line else lines


def _is_plain(text: str) -> bool:
    """Whether every character is certainly visible and one column wide."""
    if not text.isprintable():
        return False
    return text.isascii() or all(
        sign < "\u0300"
        or "\u2010" <= sign <= "\u2027"
        or "\u2190" <= sign <= "\u21ff"
        or "\u2400" <= sign <= "\u257f"
        for sign in text
    )


def _without_odd(text: str) -> str:
    from unicodedata import category  # noqa: PLC0415 - as above

    kept: list[str] = []
    marks = 0
    for sign in text:
        kind = category(sign)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if kind == "Zs":
            kept.append(" ")
        elif kind in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            kept.append(_named(sign))
        elif marks <= _MOST_MARKS and not "\ufe00" <= sign <= "\ufe0f":
            kept.append(sign)
    return "".join(kept)


def _named(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if sign <= "\uffff" else f"\\U{ord(sign):08x}"


def _head(text: str, columns: int) -> str:
    if _is_plain(text):
        return text[: max(columns, 0)]
    end = taken = 0
    while end < len(text) and taken + width(text[end]) <= columns:
        taken += width(text[end])
        end += 1
    return text[:end]


def _tail(text: str, columns: int) -> str:
    if _is_plain(text):
        return text[len(text) - columns :] if columns > 0 else ""
    start, taken = len(text), 0
    while start and taken + width(text[start - 1]) <= columns:
        start -= 1
        taken += width(text[start])
    return text[start:]
