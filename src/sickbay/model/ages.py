"""How long things have been as they are, by the times inside documents: there is no clock."""

from datetime import UTC, datetime

from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot


def hours_between(start: str | None, end: str | None) -> float | None:
    """The hours from one RFC 3339 time to another, or None when one is missing or no time."""
    first, last = _moment(start), _moment(end)
    return (last - first).total_seconds() / 3600 if first and last else None


def seen_at(pod: Pod, snapshot: Snapshot) -> str:
    """About when a pod was looked at: the last heartbeat of its node, or an empty string."""
    if not pod.spec.node_name:
        return ""
    node = snapshot.find(kube("Node", "", pod.spec.node_name))
    if not isinstance(node, Node):
        return ""
    ready = node.condition("Ready")
    return (ready and ready.last_heartbeat_time) or ""


def _moment(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
