"""How long things have been as they are, by the times inside documents: there is no clock."""

from datetime import UTC, datetime

from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.naming import Caller
from sickbay.model.snapshot import Snapshot

_CLUSTER = ManagedCluster.kind


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


def looked_at(snapshot: Snapshot) -> str:
    """About when everything was looked at: the newest time that a document states, or nothing."""
    times = [entity.modified_at for entity in snapshot.grouped(ManagedCluster, "kind", _CLUSTER)]
    for node in snapshot.grouped(Node, "kind", Node.kind):
        ready = node.condition("Ready")
        times.append((ready and ready.last_heartbeat_time) or "")
    # Whoever called Azure did so before the log was saved: not earlier than the day's beginning.
    times += [caller.day for caller in snapshot.grouped(Caller, "kind", Caller.kind)]
    moments = [moment for time in times if (moment := _moment(time))]
    return max(moments).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moments else ""


def _moment(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
