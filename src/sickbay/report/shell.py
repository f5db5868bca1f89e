"""Writes commands so that what is shown can be pasted into a shell, whatever names it holds."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from sickbay.report.columns import pieces, shorten, visible, width

COLUMNS: Final = 80
_CONTINUED: Final = " \\"
_LONGEST_WORD: Final = 800
_LONGEST_UNIT: Final = 50
_LONGEST_COMMAND: Final = 4_000
_JOINING: Final = frozenset({">", ">>", "|", "&&", "2>"})
_PLAIN: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-"
)
_QUOTING: Final = frozenset("'\"\\$`")
# A word of a command line: runs of plain characters, escaped characters and quoted stretches.
_WORD: Final = r"""(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]|['"\\])+"""
# What must not be torn: an escape, and the sign that opens a quotation.
_ATOM: Final = r"\$'|\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|."


def join(words: Iterable[str]) -> str:
    """Write an argv as a shell line."""
    return " ".join(map(quote, words))


def quote(word: str) -> str:
    """Quote one word; a character that would not be visible is written as its escape."""
    if len(word) > _LONGEST_WORD:
        word = shorten(word, _LONGEST_WORD)
    if word and _PLAIN.issuperset(word):
        return word
    if visible(word) == word:
        return "'" + word.replace("'", "'\"'\"'") + "'"
    return "$'" + "".join(map(_escaped, word)) + "'"


def literal(command: str) -> str:
    """Write a filled template again so that a shell takes each of its words as it stands.

    The names in it come from evidence: without this, one that holds `;` or `$(…)` would run.
    """
    if len(command) > _LONGEST_COMMAND:
        command = shorten(command, _LONGEST_COMMAND)
    return join(map(_unquoted, _words(command)))


def command_lines(command: str, start: int, hang: int) -> list[str]:
    """Break a command into lines that still paste as one.

    The first line begins in column `start` and carries no indentation of its own; the others hang
    at `hang`. A word that is longer than a line goes on in the first column, because any space
    before it would end the word.
    """
    lines: list[str] = []
    line, column = "", start
    for word in _units(_words(shorten(command, _LONGEST_COMMAND))):
        if line and column + 1 + width(word) + len(_CONTINUED) <= COLUMNS:
            line, column = f"{line} {word}", column + 1 + width(word)
            continue
        if line:
            lines.append(line + _CONTINUED)
            line, column = " " * hang, hang
        first, *others = _chunks(word, COLUMNS - column - len(_CONTINUED))
        line, column = line + first, column + width(first)
        for chunk in others:
            lines.append(line)
            line, column = chunk, width(chunk)
    return [*lines, line]


def _words(command: str) -> list[str]:
    return command.split() if _QUOTING.isdisjoint(command) else re.findall(_WORD, command)


def _unquoted(word: str) -> str:
    if _QUOTING.isdisjoint(word):
        return word
    from shlex import split  # noqa: PLC0415 - few looks need it, and all would wait for it

    try:
        return "".join(split(word))
    except ValueError:
        return word


def _units(words: Iterable[str]) -> Iterator[str]:
    """Keep an option and its value on one line, when one line can hold them."""
    held = ""
    for word in words:
        is_open = word.startswith("-") or word in _JOINING
        if held and not is_open and len(held) + len(word) < _LONGEST_UNIT:
            yield f"{held} {word}"
            held = ""
            continue
        if held:
            yield held
        held = word if is_open else ""
        if not is_open:
            yield word
    if held:
        yield held


def _chunks(word: str, room: int) -> list[str]:
    """Break a word that is too long for its line; all chunks but the last end in a continuation."""
    if width(word) <= room:
        return [word]
    if not _QUOTING.isdisjoint(word):
        return list(_quoted_chunks(word, room))
    first, *others = pieces(word, room)
    rest = pieces("".join(others), COLUMNS - len(_CONTINUED))
    return [f"{piece}\\" for piece in (first, *rest[:-1])] + rest[-1:]


def _quoted_chunks(word: str, room: int) -> Iterator[str]:
    """Break inside quotes by closing and opening them again: without a space it is one word."""
    chunk = inside = ""
    for atom, state in _atoms(word):
        close = "'" if inside.endswith("'") else ""
        if chunk.lstrip("$'") and width(chunk + atom + close) > room:
            yield f"{chunk}{close}\\"
            chunk, room = inside if close else "", COLUMNS - len(_CONTINUED)
        chunk += atom
        inside = state
    yield chunk


def _atoms(word: str) -> Iterator[tuple[str, str]]:
    """Yield each atom and the quotation that is open behind it: none, `'`, `"` or `$'`."""
    at, inside = 0, ""
    atom_at = re.compile(_ATOM).match
    while at < len(word):
        found = None if inside == "'" else atom_at(word, at)
        atom = found[0] if found else word[at]
        if atom == "$'" and inside:
            atom = "$"
        at += len(atom)
        if not inside:
            inside = atom if atom in {"'", '"', "$'"} else ""
        elif atom == inside[-1]:
            inside = ""
        yield atom, inside


def _escaped(sign: str) -> str:
    if sign in "\\'":
        return f"\\{sign}"
    if visible(sign) == sign:
        return sign
    code = ord(sign)
    if code < 0x80:  # noqa: PLR2004 - the last of ASCII
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
