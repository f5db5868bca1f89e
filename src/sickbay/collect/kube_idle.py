"""What nobody has looked at since it was made: pods and objects that wait for a controller.

A document does not tell how old it is; whoever reads it live knows what time it is there.
"""

from datetime import UTC, datetime
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube
from sickbay.record import NamedTuple

# Longer than any scheduler or controller that works leaves something lying.
_PATIENCE: Final = 30
_MOST: Final = 20
CONTROLLED: Final = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"})


class Idle(NamedTuple):
    """Something that nobody has touched, and since when it is there."""

    by: str
    kind: str
    namespace: str
    name: str
    made: str


def untouched(kind: str, body: dict[str, Any]) -> Idle | None:
    """An object of a controller that has not noted anything in it yet."""
    metadata, status = body.get("metadata") or {}, body.get("status") or {}
    # Every one of these controllers writes a status as the first thing it does.
    is_touched = status.get("observedGeneration") or status.get("startTime")
    if is_touched or metadata.get("deletionTimestamp") or kind not in CONTROLLED:
        return None
    if (body.get("spec") or {}).get("suspend") or (body.get("spec") or {}).get("managedBy"):
        return None
    made = str(metadata.get("creationTimestamp") or "")
    return Idle("controller", kind, metadata.get("namespace", ""), metadata.get("name", ""), made)


def tell_idle(found: list[Idle], now: datetime, sink: Sink) -> None:
    """Say what lies there longer than it should."""
    for one in found[:_MOST]:
        seconds = _age(one.made, now)
        if seconds < _PATIENCE:
            continue
        thing = f"{one.kind.lower()} {one.namespace}/{one.name}"
        says = f"no {one.by} has looked at {thing} in the {seconds} s since it was made"
        about = kube(one.kind, one.namespace, one.name)
        sink.text(Text(says, Origin("kubernetes", thing), about, "age", one.made))


def _age(made: str, now: datetime) -> int:
    try:
        return int((now - datetime.fromisoformat(made).astimezone(UTC)).total_seconds())
    except ValueError:
        return 0
