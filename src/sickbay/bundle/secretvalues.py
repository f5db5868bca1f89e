"""Where a value in text ends, and whether a word is more likely a secret or part of a sentence."""

import re
from typing import Final

from sickbay.bundle.secretkeys import matched
from sickbay.record import NamedTuple

# A comma or a closing sign belongs to the value unless what follows shows that it does not.
_SIGN: Final = (
    r"""(?:[^\s"'`;&,<>\\)\]}]|[&,](?![\w.\-]{1,64}+[=:]|\s|\Z)|[)\]}](?![\s,;:)\]}"']|\Z)"""
    r"""|\\(?![nrtu"'\\]))"""
)
# No word is that long: what is, is taken for a secret without a closer look.
LONGEST_WORD: Final = 256
_WORD: Final = rf"{_SIGN}{{1,{LONGEST_WORD}}}+"
_GIANT: Final = rf"{_SIGN}++"
_LINE: Final = r"(?:[^\r\n\\]|\\(?![nr]))*+"
_LINE_ENDS: Final = r"[ \t,.;]*+(?=[\r\n]|\\[nr]|\Z)"
_ESCAPED_BLOCK: Final = r"(?:\\n {2}(?:[^\\\r\n]|\\(?!n))*+)++"
_OBJECT: Final = r"[a-z0-9]++(?:[./-][a-z0-9]++)++|[a-z]++"
_VERSION: Final = r"v?\d[\w.\-]*"
_DEEPEST: Final = 256
_MIXED: Final = 6
_LONG: Final = 20
_PROSE_WORDS: Final = (
    "a an and any are as at be before but by can can't cannot check context could couldn't "
    "deadline denied did didn't does doesn't dial empty error exceeded expected expired "
    "fail failed fails failing failure for forbidden from get has have http https if illegal "
    "in incorrect invalid is isn't it its json lookup malformed may missing must no not of on "
    "open or permission please post provided read refresh refused rejected request required "
    "rpc set should status stat that the there this timed timeout to too unable unauthorized "
    "unauthorised unexpected unknown unrecognized unsupported verification was wasn't were "
    "when which will with wrong x509 yaml you your"
)
_PROSE: Final = frozenset(_PROSE_WORDS.split())
_OPENS_PROSE: Final = _PROSE | frozenset(
    ("secret", "secrets", "token", "tokens", "password", "passwords", "key", "user", "pod")
)


class Span(NamedTuple):
    """A stretch of text to be replaced."""

    start: int
    end: int
    kind: str


class Word(NamedTuple):
    """An unquoted value, and whether nothing follows it on its line."""

    text: str
    end: int
    alone: bool

    @property
    def is_giant(self) -> bool:
        return len(self.text) >= LONGEST_WORD

    @property
    def is_prose(self) -> bool:
        plain = self.text.lower().strip(".,:;")
        return plain in _PROSE or (not self.alone and plain in _OPENS_PROSE)

    @property
    def is_mixed(self) -> bool:
        """Whether it looks made up: letters among other signs, or more letters than words have."""
        if len(self.text) < _MIXED:
            return False
        has_letter = any(sign.isalpha() for sign in self.text)
        return len(self.text) >= _LONG or (has_letter and not self.text.isalpha())

    @property
    def names_something(self) -> bool:
        """Whether it could be the name of an object, a version or an address."""
        is_name = re.fullmatch(_OBJECT, self.text) or re.fullmatch(_VERSION, self.text)
        return bool(is_name) or self.text.endswith(":") or "://" in self.text


def word_at(text: str, start: int) -> Word | None:
    found = matched(_WORD, text, start)
    if found is None:
        return None
    if len(found.group()) == LONGEST_WORD:
        found = matched(_GIANT, text, start) or found
    alone = matched(_LINE_ENDS, text, found.end()) is not None
    return Word(found.group(), found.end(), alone)


def quoted_end(text: str, start: int, opener: str) -> int:
    """Where a quoted value ends that begins at `start`, however often its text was escaped."""
    quote = opener[-1]
    depth = len(opener) - 1
    at = start
    while True:
        closing = text.find(quote, at)
        newline = text.find("\n", at, closing if closing >= 0 else len(text))
        if newline >= 0 or closing < 0:
            return newline if newline >= 0 else len(text)
        run = text[max(start, closing - _DEEPEST) : closing]
        slashes = len(run) - len(run.rstrip("\\"))
        # Each escaping doubles the backslashes and adds one before the quote.
        if slashes % (2 * (depth + 1)) == depth:
            return closing - depth
        at = closing + 1


def line_end(text: str, start: int) -> int:
    """The end of a line, also of one that was escaped into a string."""
    found = matched(_LINE, text, start)
    return found.end() if found else start


def block_below(text: str, key: int, start: int) -> tuple[int, int]:
    """The lines below a key that are set off by a deeper indent, or an empty stretch."""
    escaped = matched(_ESCAPED_BLOCK, text, line_end(text, start))
    if escaped:
        return escaped.span()
    above = text.rfind("\n", 0, key) + 1
    before = text[above:key]
    indent = len(before) - len(before.lstrip(" "))
    first = text.find("\n", start) + 1 or len(text)
    at = first
    while at < len(text) and text[at : at + indent + 1].isspace():
        at = text.find("\n", at) + 1 or len(text)
    indented = first + len(text[first:at]) - len(text[first:at].lstrip())
    return indented, max(indented, at - (text[at - 1 : at] == "\n"))
