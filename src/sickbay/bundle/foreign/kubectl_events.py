"""Events as kubectl prints them, in a list of their own or below a description."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from sickbay.bundle.foreign.kubectl_columns import CLUSTER_SCOPED, UNTOLD_NAMESPACE, kind_called
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, kube

_TIMES: Final = r"\(x(\d{1,9})"
# Below a description: two blanks, type, reason, age, from and message, with two between them.
_BELOW: Final = (
    r"[ \t]{1,8}(?P<type>Normal|Warning)[ \t]+(?P<reason>\S{1,100})[ \t]{1,40}"
    r"(?P<age>(?:(?:<unknown>|<invalid>|[\dsmhdy]{1,20})(?: \(x\d+ over [^)]{1,20}\))?)?)"
    r"[ \t]{1,40}(?P<from>\S{1,200}(?:, ?\S{1,200})?)[ \t]{2,80}(?P<message>\S.*)"
)
# kubectl 1.10 and older: first and last seen, count, from, path, type, reason, message.
_BELOW_OLD: Final = (
    r"[ \t]{1,8}[\dsmhdy]{1,20}[ \t]+[\dsmhdy]{1,20}[ \t]+(?P<count>\d{1,9})[ \t]+"
    r"(?P<from>\S{1,200}(?:, ?\S{1,200})?)[ \t]{2,80}(?:\S{1,200}[ \t]+)?"
    r"(?P<type>Normal|Warning)[ \t]+(?P<reason>\S{1,100})[ \t]+(?P<message>\S.*)"
)
_LONGEST_ROW: Final = 16_384
_LONGEST_MESSAGE: Final = 65_536


class Listed(NamedTuple):
    """One event: what it says, of what, how often, and at which line."""

    line: int
    reason: str
    message: str
    times: int = 1
    about: Ref | None = None

    def text(self, source: str) -> Text:
        says = f"{self.reason}: {self.message}"
        return Text(says, Origin(source, f"line {self.line}"), self.about, "event", "", self.times)


def event_of(cells: Mapping[str, str], line: int, namespace: str) -> Listed:
    """The event that a row of `kubectl get events` is."""
    return Listed(
        line,
        cells["REASON"],
        cells["MESSAGE"],
        _times(cells),
        _object(cells, cells.get("NAMESPACE") or namespace),
    )


def events_below(lines: Iterable[tuple[int, str]], about: Ref | None) -> list[Listed]:
    """The events of a description, from the lines below `Events:`, each with its number."""
    found: list[Listed] = []
    for number, line in lines:
        row = _row(line)
        if row:
            found.append(Listed(number, row["reason"], row["message"].strip(), _count(row), about))
        elif found and line.strip() and len(found[-1].message) < _LONGEST_MESSAGE:
            last = found[-1]
            found[-1] = last._replace(message=f"{last.message} {line.strip()}")
    return found


def _row(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_ROW or not line.startswith((" ", "\t")):
        return None
    return re.fullmatch(_BELOW, line) or re.fullmatch(_BELOW_OLD, line)


def _count(row: re.Match[str]) -> int:
    groups = row.groupdict()
    if groups.get("count"):
        return int(groups["count"])
    found = re.search(_TIMES, groups.get("age") or "")
    return int(found[1]) if found else 1


def _times(cells: Mapping[str, str]) -> int:
    count = cells.get("COUNT", "")
    if re.fullmatch(r"[1-9]\d{0,8}", count):
        return int(count)
    found = re.search(_TIMES, cells.get("LAST SEEN", ""))
    return int(found[1]) if found else 1


def _object(cells: Mapping[str, str], namespace: str) -> Ref | None:
    """What an event is about; older tables have the kind in a column of its own."""
    kind, slash, name = cells.get("OBJECT", "").partition("/")
    if not slash:
        # The name of an event is that of its object, and a number.
        kind, name = cells.get("KIND", ""), cells.get("NAME", "").rpartition(".")[0]
    if not kind or not name:
        return None
    known = kind_called(kind) or kind
    is_wide = known in CLUSTER_SCOPED
    return kube(known, "" if is_wide else namespace or UNTOLD_NAMESPACE, name)
