"""The contents of Kubernetes Secrets in YAML or JSON text, told by the kind of their object."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from sickbay.bundle.secretkeys import compiled, holds_no_secret, matched
from sickbay.bundle.secretvalues import Span, quoted_end

_FIELDS: Final = ("data", "stringData")
_KINDS: Final = ("Secret", "SecretList")
_YAML_KIND: Final = r"""(?m)^[ \t-]*kind:[ \t]*["']?Secret(?:List)?["']?[ \t\r]*$"""
_YAML_KEY: Final = r"""["']?(?P<key>[^\s:#"']+)["']?:(?=\s|\Z)[ \t]*"""
_JSON_KIND: Final = r"""\\*+["']kind\\*+["']\s*+:\s*+\\*+["'](?P<kind>\w++)"""
_JSON_DATA: Final = r"""\\*+["'](?P<field>data|stringData)\\*+["']\s*+:\s*+\{"""
_JSON_PAIR: Final = r"""(?:\\[nrt]|[\s,])*+\\*+["'][\w.\-/]++\\*+["']\s*+:\s*+(?P<open>\\*+["'])"""
_BASE64: Final = r"[A-Za-z0-9+/\\n]*+=*+"


def secret_manifests(text: str, lowered: str) -> Iterator[Span]:
    """Values below `data` and `stringData` of objects whose kind is Secret."""
    if not all(word in lowered for word in ("secret", "kind", "data")):
        return
    if compiled(_YAML_KIND).search(text):
        yield from _in_yaml(text)
    kinds = [(found.start(), found["kind"]) for found in compiled(_JSON_KIND).finditer(text)]
    if any(kind in _KINDS for _, kind in kinds):
        yield from _in_json(text, kinds)


class _Object:
    """A mapping while its lines go by."""

    def __init__(self) -> None:
        self.kind = ""
        self.inside = False
        self.column = 0
        self.spans: list[Span] = []

    def key(self, name: str, value: str, start: int) -> None:
        self.inside = name in _FIELDS
        self.column = 0
        if name == "kind":
            self.kind = value.strip("\"' \t\r")
        elif self.inside and value.strip() not in ("", "{}", "null"):
            self.spans.append(Span(start, start + len(value.rstrip()), "secret"))

    def content(self, line: str, column: int, start: int) -> None:
        """One line below the field; a deeper line than the first goes on with its value."""
        self.column = self.column or column
        found = matched(_YAML_KEY, line, column) if column == self.column else None
        begin = found.end() if found else column
        value = line[begin:].rstrip()
        if not holds_no_secret(value) and value not in ("|", ">", "|-", ">-", "|+"):
            self.spans.append(Span(start + begin, start + begin + len(value), "secret"))


def _in_yaml(text: str) -> Iterator[Span]:
    mappings: dict[int, _Object] = {}
    start = 0
    for line in text.split("\n"):
        bare = line.lstrip(" -")
        column = len(line) - len(bare)
        if line.startswith("---"):
            yield from _closed(mappings, -1)
        elif bare.strip():
            yield from _line(mappings, line, column, start)
        start += len(line) + 1
    yield from _closed(mappings, -1)


def _line(mappings: dict[int, _Object], line: str, column: int, start: int) -> Iterator[Span]:
    yield from _closed(mappings, column)
    holder = next((one for at, one in mappings.items() if at < column and one.inside), None)
    if holder:
        holder.content(line, column, start)
        return
    if "-" in line[:column]:
        yield from _closed(mappings, column - 1)
    found = matched(_YAML_KEY, line, column)
    if found:
        mapping = mappings.setdefault(column, _Object())
        mapping.key(found["key"], line[found.end() :], start + found.end())


def _closed(mappings: dict[int, _Object], column: int) -> Iterator[Span]:
    """What the mappings to the right of a column held, if they were Secrets."""
    for at in [at for at in mappings if at > column]:
        mapping = mappings.pop(at)
        if mapping.kind in _KINDS:
            yield from mapping.spans


def _in_json(text: str, kinds: list[tuple[int, str]]) -> Iterator[Span]:
    blocks = list(compiled(_JSON_DATA).finditer(text))
    depths = _depths(text, [*(at for at, _ in kinds), *(block.start() for block in blocks)])
    for block in blocks:
        values = _values(text, block.end())
        index = bisect_left(kinds, (block.start(), ""))
        near = [
            kind
            for at, kind in kinds[max(0, index - 1) : index + 1]
            if depths[at] == depths[block.start()]
        ]
        is_secret = near[0] in _KINDS if near else _all_base64(text, values)
        if is_secret or block["field"] == "stringData":
            yield from (one for one in values if not holds_no_secret(text[one.start : one.end]))


def _depths(text: str, places: list[int]) -> dict[int, int]:
    """How deep in braces each place stands; two in one object stand equally deep."""
    depths: dict[int, int] = {}
    depth = before = 0
    for place in sorted(places):
        depth += text.count("{", before, place) - text.count("}", before, place)
        depths[place] = depth
        before = place
    return depths


def _values(text: str, at: int) -> list[Span]:
    values = []
    while found := matched(_JSON_PAIR, text, at):
        end = quoted_end(text, found.end(), found["open"])
        values.append(Span(found.end(), end, "secret"))
        at = end + len(found["open"])
    return values


def _all_base64(text: str, values: list[Span]) -> bool:
    return all(re.fullmatch(_BASE64, text[one.start : one.end]) for one in values)
