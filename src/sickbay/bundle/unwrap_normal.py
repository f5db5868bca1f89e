"""The normal form of a text: one line, plain quotes, nothing that a terminal or an escape added."""

import re
from typing import Final

_PASSES: Final = 6
# Patterns other than this one stay as text and are compiled when a text needs them.
_NOISE: Final = re.compile(r"[^ -~]|[\\&]|  |''")
_TERMINAL: Final = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\)"
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[@-Z\\^_]"
)
# Gutters of terraform's boxes, also as they look when UTF-8 was read as Windows-1252.
_GUTTER: Final = "\u2502\u2503\u2551\u2577\u2575\u256d\u256e\u2570\u256f"
_MISREAD_GUTTER: Final = "\u00e2(?:\u201d[\u201a\u0192]|\u2022[\u00b7\u00b5])"
_SURROGATE: Final = "[\ud800-\udfff]"
_INVISIBLE: Final = (
    0xAD,
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
)
_DOUBLE_QUOTES: Final = "\u201c\u201d\u201e\u201f\u2033"
_SINGLE_QUOTES: Final = "\u2018\u2019\u201a\u201b\u2032"
_CHARACTERS: Final[dict[int, str | None]] = (
    dict.fromkeys((*range(32), *range(127, 160), *_INVISIBLE))
    | dict.fromkeys(map(ord, "\t\n\v\f\r\x85" + _GUTTER), " ")
    | dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"')
    | dict.fromkeys(map(ord, _SINGLE_QUOTES), "'")
)
_BACKSLASH: Final = (
    # A drive path keeps its backslashes: C:\nginx\temp holds no line break.
    r"(?P<path>(?<![A-Za-z0-9\\])[C-Zc-z]:(?:\\+(?!u00)"
    r"(?:(?:(?:Program|Common) Files(?: \(x86\))?|(?:Microsoft|Windows) \w+)(?=\\)|[\w.$~-]+))+)"
    r"|(?:\\(?:u005[cC])*)+"
    r"(?:(?P<space>[nrt])|(?P<quote>[\"'/`])|u(?P<hex>[0-9a-fA-F]{4})"
    r"|(?P<escape>x1[bB]|033|e)(?=\[))?"
)
# YAML doubles the single quotes inside what it puts into single quotes; empty ones stay.
_DOUBLED: Final = r"(?<=[\w/.)\]])''(?!')|(?<!')''(?=[\w/(\[])"
_ENTITY: Final = (
    r"&(?:amp;|#0*38;|#[xX]0*26;)*"
    r"(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));"
)
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_LAST_CODE_POINT: Final = 0x10FFFF


def normal(text: str) -> str:
    """Idempotent: what is in normal form stays as it is."""
    if not _NOISE.search(text):
        return text.strip()
    for _ in range(_PASSES):
        cleaned = _pass(text)
        if cleaned == text:
            return cleaned
        text = cleaned
    # Escapes that keep making escapes are an attack: without their two marks nothing is left.
    return _pass(text.replace("\\", "").replace("&", ""))


def resolve_entities(text: str) -> str:
    """HTML entities as the characters they stand for."""
    return re.sub(_ENTITY, _entity, text) if "&" in text else text


def _pass(text: str) -> str:
    if "\x1b" in text or "\x9b" in text:
        text = re.sub(_TERMINAL, "", text)
    if not text.isascii():
        text = re.sub(_SURROGATE, "\ufffd", re.sub(_MISREAD_GUTTER, " ", text))
    text = text.translate(_CHARACTERS)
    if "\\" in text:
        text = re.sub(_BACKSLASH, _unescape, text)
    if "''" in text:
        text = re.sub(_DOUBLED, "'", text)
    return " ".join(resolve_entities(text).split())


def _unescape(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind == "space":
        return " "
    if kind == "hex":
        return chr(int(match["hex"], 16))
    if kind == "escape":
        return "\x1b"
    if kind == "path":
        return re.sub(r"\\+", r"\\", match[0])
    return match["quote"] or "\\"


def _entity(match: re.Match[str]) -> str:
    if match[1]:
        return _ENTITIES[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16)
    return chr(code) if 0 < code <= _LAST_CODE_POINT else " "
