"""Whether a cluster fails: what may be a choice is a fault only where something fails under it."""

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.snapshot import Snapshot


def is_ailing(cluster: ManagedCluster, snapshot: Snapshot) -> bool:
    """Whether a cluster or one of its pools is failed or cancelled."""
    return cluster.is_unwell or any(
        pool.is_unwell
        for pool in snapshot.some(AgentPool)
        if pool.ref.parent.casefold() == cluster.ref.key
    )
