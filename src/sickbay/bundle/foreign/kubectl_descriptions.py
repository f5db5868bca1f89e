"""What `kubectl describe` prints, taken apart: objects, their events, and the text of both."""

from typing import Final

from sickbay.bundle.foreign.kubectl_bounds import Bounds, bounds_at
from sickbay.bundle.foreign.kubectl_columns import CLUSTER_SCOPED, UNTOLD_NAMESPACE
from sickbay.bundle.foreign.kubectl_described import document, kind_of
from sickbay.bundle.foreign.kubectl_events import events_below
from sickbay.bundle.foreign.kubectl_sections import (
    Description,
    descriptions,
)
from sickbay.bundle.foreign.leftover import read_rest
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin
from sickbay.model.ids import Ref, kube

# Events without the description above them: only of pods do they tell these.
_OF_PODS: Final = frozenset({"Scheduled", "FailedScheduling", "Pulling", "Pulled", "Started"})
_SOME_POD: Final = kube("Pod", UNTOLD_NAMESPACE, "<pod>")


def has_descriptions(head: str) -> bool:
    return any(descriptions(head.split("\n")))


def read_descriptions(piece: Piece, sink: Sink) -> None:
    """Read the descriptions of a text, and leave the rest to others."""
    lines = piece.text().split("\n")
    for described in list(descriptions(lines)):
        _take(described, lines, piece.source, sink)
        # Blank lines in its place: what follows keeps its line number.
        lines[described.first : described.last] = [""] * (described.last - described.first)
        bounds = bounds_at(lines, described.last)
        if bounds is not None and described.value("Name") and _is_placed(described):
            _take_bounds(bounds, described, piece.source, sink)
            lines[described.last : bounds.end] = [""] * (bounds.end - described.last)
    read_rest(lines, piece, sink)


def _take(described: Description, lines: list[str], source: str, sink: Sink) -> None:
    kind = kind_of(described)
    about = _about(described, kind)
    place = Origin(source, f"line {described.first + 1}")
    if about is not None and (body := document(described, kind, about.namespace)):
        sink.kube(body, place)
    events = events_below(described.events, about)
    if not described.value("Name") and any(event.reason in _OF_PODS for event in events):
        events = [event._replace(about=_SOME_POD) for event in events]
    for event in events:
        sink.text(event.text(source))
    _hear(described, lines, Frame(source, about, "describe", None, described.first + 1), sink)


def _take_bounds(bounds: Bounds, described: Description, source: str, sink: Sink) -> None:
    metadata = {
        "name": described.value("Name"),
        "namespace": described.value("Namespace"),
        "resourceVersion": "2",
    }
    body = {"apiVersion": "v1", "kind": bounds.kind, "metadata": metadata, **bounds.parts}
    sink.kube(body, Origin(source, f"line {described.first + 1}"))


def _about(described: Description, kind: str) -> Ref | None:
    name = described.value("Name")
    if not kind or not name:
        return None
    namespace = described.value("Namespace") or described.command.namespace or UNTOLD_NAMESPACE
    # Only a kind that we do not know can be without a namespace unseen.
    is_wide = kind in CLUSTER_SCOPED or (
        not _is_placed(described) and "API Version" in described.keys
    )
    return kube(kind, "" if is_wide else namespace, name)


def _is_placed(described: Description) -> bool:
    return bool(described.value("Namespace"))


def _hear(described: Description, lines: list[str], frame: Frame, sink: Sink) -> None:
    """Hear the rest of it; not its events, which are heard, and no values of secrets and maps."""
    silent = {number - 1 for number, _ in described.events}.union(described.data)
    told = ["" if at in silent else lines[at] for at in range(described.first, described.last)]
    sink.log(iter(["\n".join([*told, ""]).encode("utf-8", "replace")]), frame)
