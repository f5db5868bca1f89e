"""What a disruption budget means for a drain, in words and in changes to it."""

from sickbay.model.aks import AgentPool
from sickbay.model.kubernetes import Node
from sickbay.model.rows import NodeRow
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import PodDisruptionBudget


def left_half_drained(snapshot: Snapshot) -> str:
    """A node that is cordoned, where a pool is failed: an operation stopped in the middle."""
    if not any(pool.is_unwell for pool in snapshot.grouped(AgentPool, "kind", AgentPool.kind)):
        return ""
    nodes = [
        node.name for node in snapshot.grouped(NodeRow, "kind", NodeRow.kind) if node.is_cordoned
    ]
    nodes += [
        node.name for node in snapshot.grouped(Node, "kind", Node.kind) if node.spec.unschedulable
    ]
    return min(nodes, default="")


def on_unready(budget: PodDisruptionBudget) -> str:
    if budget.lets_unready_go:
        return " of pods that are ready; those that are not may go"
    return ", also of pods that are not ready (unhealthyPodEvictionPolicy is not AlwaysAllow)"


def patch_of(asked: int | str | None, healthy: float) -> str:
    """The change that lets one pod go; of those that are up now one must be more than is asked."""
    if isinstance(asked, int) and asked > 0:
        return f'{{"spec":{{"minAvailable":{max(0, min(asked, healthy) - 1)}}}}}'
    return '{"spec":{"minAvailable":null,"maxUnavailable":1}}'


def owner_of(budget: PodDisruptionBudget, snapshot: Snapshot) -> str:
    """What runs the guarded pods, as kubectl names it; an empty string if no pod is in evidence."""
    owners = {
        f"{pod.workload.kind.lower()}/{pod.workload.name}" for pod in budget.guarded(snapshot)
    }
    return min(owners, default="")
