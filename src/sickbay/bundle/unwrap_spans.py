"""Where something structured stands inside a prose: objects in any quoting, markup, URL coding."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from sickbay.bundle.unwrap_markup import storage_error, visible
from sickbay.bundle.unwrap_normal import resolve_entities
from sickbay.bundle.unwrap_values import quoted, read, unescape
from sickbay.record import NamedTuple

_MOST_SPANS: Final = 400
# Patterns stay as text and are compiled when a text has what they look for.
_START: Final = (
    r"(?P<bracket>[{\[])"
    r"|(?:^|[\s,])\"?[Ee]rr(?:or)?\"?=(?:(?P<string>\")|(?P<block><\r?\n))"
    r"|(?P<html><(?:!DOCTYPE html|html|HTML|body)\b)|(?P<xml><\?xml|<Error>)"
    r"|(?P<percent>%7[Bb](?:%0[AaDd]|%20|\+)*%22)"
)
_GATES: Final = ("{", "[", "rr=", 'rr"=', "ror=", 'ror"=', "<", "%7B", "%7b")
_OUTER: Final = r"(?:[\s\[{]|\\+[nrt]){0,60}"
_DIALECT: Final = (
    r"(?:(?P<doubled>\"\"[^\"\s,:}\]])|(?P<escaped>\\+[\"']|\\+u0022)"
    r"|(?P<entity>&(?:amp;)*(?:quot|#34);)|(?P<underscored>\\*_[A-Za-z]+\\*_\s*:)"
    r"|(?P<plain>[\"'])|(?P<bare>[A-Za-z_][\w.]{0,60}\s?[:=]))"
)
_NEXT_PAIR: Final = r"\s*$|\s+\"?[\w./-]{1,80}\"?="
_UNDERSCORE_QUOTE: Final = r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
# Quotes that a CSV export doubled stand at words; the empty string of `name=""` does not.
_DOUBLED_BEFORE: Final = r"(?<![\"=\\])\"\"[^\"\s,:;)}\]]"
_DOUBLED_BEHIND: Final = r"[^\"\s,:;({\[=\\]\"\"(?!\")"
_URL_END: Final = r"[\s\"'<>]"
_PERCENT: Final = r"(?:%[0-9A-Fa-f]{2})+"


class Span(NamedTuple):
    """A value inside a prose; None if the place was empty.

    One that `speaks` is a message; the rest only holds some.
    """

    value: object
    start: int
    end: int
    speaks: bool = False


def spans(text: str) -> tuple[Span, ...]:
    """What is structured in a prose, from left to right, without overlap."""
    if '""' in text and re.search(_DOUBLED_BEFORE, text) and re.search(_DOUBLED_BEHIND, text):
        return (Span(text.replace('""', '"'), 0, len(text), speaks=True),)
    if not any(gate in text for gate in _GATES):
        return ()
    found: list[Span] = []
    at = 0
    start = re.compile(_START)
    while len(found) < _MOST_SPANS and (match := start.search(text, at)):
        span = _READERS[match.lastgroup or ""](text, match)
        at = max(span.end, match.end())
        if span.value:
            found.append(span)
    return tuple(found)


def without(text: str, taken: tuple[Span, ...]) -> str:
    """The prose around the spans, each place where it was."""
    kept: list[str] = []
    at = 0
    for span in taken:
        kept += text[at : span.start], "…".ljust(span.end - span.start)
        at = span.end
    kept.append(text[at:])
    return "".join(kept)


def _bracket(text: str, match: re.Match[str]) -> Span:
    start = match.start()
    outer = re.compile(_OUTER).match(text, match.end())
    inner = outer.end() if outer else match.end()
    dialect = re.compile(_DIALECT).match(text, inner)
    kind = dialect.lastgroup or "" if dialect else ""
    is_label = kind == "bare" and "{" not in text[start:inner]
    if not dialect or is_label:
        return Span(None, start, inner)
    if rewrite := _REWRITES.get(kind):
        return Span(rewrite(text[start:]), start, len(text))
    value, end = read(text, start)
    return Span(value, start, end)


def _string(text: str, match: re.Match[str]) -> Span:
    start = match.start("string")
    value, end = quoted(text, start, _NEXT_PAIR)
    return Span(value, start, end, speaks=True)


def _block(text: str, match: re.Match[str]) -> Span:
    """What klog prints over several lines: `err=<`, lines behind a tab, ` >`."""
    start = match.end()
    end = text.find("\n >", start)
    end = end if end >= 0 else len(text)
    lines = (line.removeprefix("\t") for line in text[start:end].splitlines())
    return Span("\n".join(lines), start, end, speaks=True)


def _html(text: str, match: re.Match[str]) -> Span:
    close = re.compile(r"</(?:html|HTML)>").search(text, match.end())
    end = close.end() if close else len(text)
    return Span(visible(text[match.start() : end]), match.start(), end, speaks=True)


def _xml(text: str, match: re.Match[str]) -> Span:
    end = text.find("</Error>", match.start())
    end = end + len("</Error>") if end >= 0 else len(text)
    code, message = storage_error(text[match.start() : end])
    value = {"code": code, "message": message} if code or message else None
    return Span(value, match.start(), end)


def _percent(text: str, match: re.Match[str]) -> Span:
    found = re.compile(_URL_END).search(text, match.start())
    end = found.start() if found else len(text)
    return Span(_percent_decoded(text[match.start() : end]), match.start(), end)


def _percent_decoded(text: str) -> str:
    return re.sub(
        _PERCENT,
        lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"),
        text.replace("+", " "),
    )


_READERS: Final[Mapping[str, Callable[[str, re.Match[str]], Span]]] = {
    "bracket": _bracket,
    "string": _string,
    "block": _block,
    "html": _html,
    "xml": _xml,
    "percent": _percent,
}
_REWRITES: Final[Mapping[str, Callable[[str], str]]] = {
    "doubled": lambda text: text.replace('""', '"'),
    "escaped": unescape,
    "entity": resolve_entities,
    "underscored": lambda text: re.sub(_UNDERSCORE_QUOTE, '"', text),
}
