"""What hides words from a filter on raw bytes, and how it is taken off.

A veil lies on single characters: a terminal's colours, entities of HTML, white space in escapes.
A block that has one is cleaned and read again. A disguise covers a whole record: its words can only
be read after decoding, or unwrapping puts them together from several fields. Of such a record every
layer is read for itself.
"""

import re
from collections.abc import Iterable
from typing import Final

# Numbers in a database; signatures are numbered from zero.
VEIL: Final = 1 << 20
DISGUISE: Final = VEIL + 1

# A terminal's own escape is looked for by itself: as a literal it is too short to be cheap.
_ESCAPE: Final = b"\x1b"
VEILS: Final = (
    r"\\u001[bB]\[|\\x1[bB]\[|\\033\[",
    r"&(?:quot|apos|lt|gt|nbsp|amp|#34|#39|#x27|#x22|#10|#13|#x[aA]|#x[dD]|#160|#x[aA]0);",
    r"\\u(?:00(?:0[9aAdD]|20|2[bBfF]|3[dD]|5[cC]|60|[aA]0)|20(?:0[0-9a-fA-F]|1[89c-fC-F]|28)|25(?:02|7[5-7]))",
)
DISGUISES: Final = (
    r"%7[Bb](?:%0[AaDd]|%20|\x2b)*%22",
    r"(?:<|\\u003[cC])(?:!DOCTYPE|html|HTML|body|\?xml|Error>)",
    r"[Ee]xit_?[Cc]ode\\*[\x22\x27] ?: ?\\*[\x22\x27]?[1-9]",
    r"[Pp]olicyAssignment(?:Id)?\\*[\x22\x27]",
    r"_(?:code|message|error)\\*_ ?:",
)

# Kept as text: most input is not veiled, and compiling costs time.
_TERMINAL: Final = (
    rb"(?:\x1b|\\+(?:u001[bB]|x1[bB]|033|e))\[[0-?]*[ -/]*[@-~]"
    rb"|\x1b\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\)"
)
_ENTITY: Final = (
    rb"&(?:amp;|#0*38;|#[xX]0*26;)*"
    rb"(?:(quot|apos|lt|gt|nbsp|amp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));"
)
# The quotes stay escaped, so that what is quoted inside a JSON string stays inside.
_NAMED: Final = {
    b"quot": b'\\"',
    b"apos": b"'",
    b"lt": b"<",
    b"gt": b">",
    b"nbsp": b" ",
    b"amp": b"&",
}
_SPACE: Final = rb"\\+u(?:00(?:0[9aAdD]|20|[aA]0)|20(?:[02][0-9a-fA-F])|25[0-9a-fA-F]{2})"
_QUOTE: Final = rb"\\+u20[13][0-9a-fA-F]"
_BACKSLASH: Final = rb"(?:\\+u005[cC])+"
_SIGN: Final = rb"\\+u00(2[bBfF]|3[dD]|60)"
_LAST_ASCII: Final = 127


def is_veiled(block: bytes, finds: Iterable[tuple[int, int]]) -> bool:
    """Whether a block has to be cleaned, and what was found in it forgotten."""
    return _ESCAPE in block or any(number == VEIL for number, _ in finds)


def unveil(block: bytes) -> bytes:
    """The same lines, without veils."""
    block = re.sub(_TERMINAL, b"", block)
    block = re.sub(_ENTITY, _character, block)
    block = re.sub(_SPACE, b" ", block)
    block = re.sub(_QUOTE, b"'", block)
    block = re.sub(_BACKSLASH, rb"\\\\", block)
    return re.sub(_SIGN, lambda match: bytes.fromhex(match[1].decode()), block)


def _character(match: re.Match[bytes]) -> bytes:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code in (ord('"'), ord("\\")):
        return b"\\" + bytes((code,))
    # Beyond ASCII nothing is looked for that the entity could hide, and a line must stay one.
    return bytes((code,)) if ord(" ") < code <= _LAST_ASCII else b" "
