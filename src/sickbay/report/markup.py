"""Puts any text into Markdown so that it is read as text: no markup, no HTML, no broken fence."""

import re
from typing import Final

from sickbay.report.columns import visible

_SPECIAL: Final = re.compile(r"([\\`*_\[\]|~$@#!{}])")
_AT_START: Final = re.compile(r"^(\d*)([-+=.)])")
# A renderer that turns bare addresses into links would make evidence clickable.
_ADDRESS: Final = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")
_TICKS: Final = re.compile("`+")
_MOST: Final = 4_000


def prose(text: str) -> str:
    """One line of running text."""
    shown = visible(_cut(text)).strip()
    shown = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = _ADDRESS.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", shown))
    return _AT_START.sub(r"\1\\\2", shown)


def inline(text: str) -> str:
    """A name or a value in the text, as code."""
    shown = visible(_cut(text)).strip()
    ticks = "`" * (_longest_run(shown) + 1)
    edge = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{ticks}{edge}{shown}{edge}{ticks}"


def fence(text: str, language: str = "text", indent: str = "") -> list[str]:
    """A quotation on lines of its own, in a fence longer than any inside it."""
    lines = [visible(line) for line in _cut(text).splitlines()] or [""]
    ticks = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{indent}{line}".rstrip() for line in (f"{ticks}{language}", *lines, ticks)]


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]} …"
