r"""How a character of a normal form may look in raw evidence, as an expression over bytes.

Every form is a superset: escaped any number of times (`\"`, `\\\"`, `\u0022`), doubled as in CSV,
typographic, wrapped by a terminal or a box. Hyperscan and RE2 read these expressions alike. Forms
that are rarer still are taken off the raw evidence before: see `veils`.
"""

import string
from typing import Final

# Control characters and all beyond ASCII may stand in white space: line ends, gutters, zero width.
SPACE: Final = r"[\x00-\x20\x7f-\xff\\][\x00-\x20\x7f-\xff\\nrt]*"
_QUOTE: Final = r"[\x22\x27\\\x80-\xff]+(?:u002[27])?"
_BACKSLASH: Final = r"\\+"
_BEYOND_ASCII: Final = r"(?:[\x80-\xff]{1,4}|(?:\\+u[0-9a-fA-F]{4}){1,2})"

_WHITE: Final = frozenset(b"\t\n\v\f\r ")
_QUOTES: Final = frozenset(b"\"'")
# Characters that JSON writers escape although they need not.
_ESCAPED: Final = {ord(sign): f"00{ord(sign):02x}" for sign in "<>&"}
_ASCII: Final = frozenset(range(128))
_WORD: Final = frozenset((string.ascii_letters + string.digits + "_").encode())
_SPECIAL: Final = _WHITE | _QUOTES | frozenset(_ESCAPED) | frozenset(b"\\/")
# What the escaped forms are made of.
_ESCAPE_BYTES: Final = frozenset((string.hexdigits + "u\\").encode()) | frozenset(range(128, 256))


class Characters:
    """A set of characters: which of ASCII, and whether any beyond it."""

    __slots__ = ("ascii", "has_more")

    def __init__(self, ascii: frozenset[int], *, has_more: bool = False) -> None:
        self.ascii = ascii
        self.has_more = has_more

    @property
    def is_white(self) -> bool:
        return bool(self.ascii) and self.ascii <= _WHITE and not self.has_more

    @property
    def may_be_white(self) -> bool:
        return ord(" ") in self.ascii

    @property
    def may_be_colon(self) -> bool:
        return ord(":") in self.ascii

    @property
    def is_word(self) -> bool:
        return bool(self.ascii) and self.ascii <= _WORD and not self.has_more

    @property
    def may_be_escaped(self) -> bool:
        return self.has_more or not self.ascii.isdisjoint(_SPECIAL)


def everything_but(codes: frozenset[int]) -> Characters:
    """The complement of a set, all beyond ASCII included."""
    return Characters(_ASCII - codes, has_more=True)


def is_firm(character: str) -> bool:
    """Whether a character looks the same in every raw form."""
    return character.isascii() and ord(character) not in _SPECIAL


def has_one_end(character: str) -> bool:
    """Whether the raw forms of a character all end in it or in its escape, and nowhere else."""
    return character == "/" or ord(character) in _ESCAPED


def one_of(wanted: Characters) -> str:
    """The raw forms of one character out of a set."""
    forms = []
    plain = wanted.ascii - _SPECIAL
    if plain:
        forms.append(_byte_class(plain))
    if wanted.ascii & _WHITE:
        forms.append(SPACE)
    if wanted.ascii & _QUOTES:
        forms.append(_QUOTE)
    if ord("\\") in wanted.ascii:
        forms.append(_BACKSLASH)
    if ord("/") in wanted.ascii:
        forms.append(r"\\*/")
    forms += [_escaped(code) for code in sorted(wanted.ascii & set(_ESCAPED))]
    if wanted.has_more:
        forms.append(_BEYOND_ASCII)
    return forms[0] if len(forms) == 1 else f"(?:{'|'.join(forms)})"


def run_of(wanted: Characters) -> str:
    """The class of all bytes that the raw forms of such characters are made of."""
    return _byte_class(wanted.ascii | _ESCAPE_BYTES if wanted.may_be_escaped else wanted.ascii)


def beyond_ascii(character: str) -> str:
    """The raw forms of one character that is not of ASCII."""
    encoded = "".join(_byte(byte) for byte in character.encode("utf-8", "surrogatepass"))
    escaped = character.encode("utf-16-be", "surrogatepass").hex()
    units = (escaped[at : at + 4] for at in range(0, len(escaped), 4))
    return f"(?:{encoded}|{''.join(_unicode_escape(unit) for unit in units)})"


def _byte_class(codes: frozenset[int]) -> str:
    if len(codes) == 1:
        return _byte(next(iter(codes)))
    ranges: list[tuple[int, int]] = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    spans = (_byte(low) if low == high else f"{_byte(low)}-{_byte(high)}" for low, high in ranges)
    return f"[{''.join(spans)}]"


def _byte(code: int) -> str:
    return chr(code) if code in _WORD else f"\\x{code:02x}"


def _escaped(code: int) -> str:
    return f"(?:{_byte(code)}|{_unicode_escape(_ESCAPED[code])})"


def _unicode_escape(unit: str) -> str:
    signs = (f"[{sign}{sign.upper()}]" if sign.isalpha() else sign for sign in unit)
    return rf"\\+u{''.join(signs)}"
