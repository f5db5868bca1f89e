"""Whether a cluster fails: what may be a choice is a fault only where something fails under it."""

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service

_INTERNAL = "service.beta.kubernetes.io/azure-load-balancer-internal"


def is_ailing(cluster: ManagedCluster, snapshot: Snapshot) -> bool:
    """Whether a cluster or one of its pools is failed or cancelled."""
    return cluster.is_unwell or any(
        pool.is_unwell
        for pool in snapshot.some(AgentPool)
        if pool.ref.parent.casefold() == cluster.ref.key
    )


def waiting_services(snapshot: Snapshot, *, is_internal: bool) -> list[Service]:
    """The services that wait for an address inside the network, or for a public one."""
    return [
        service
        for service in snapshot.grouped(Service, "kind", Service.kind)
        if service.spec.type == "LoadBalancer"
        and not (service.status.load_balancer and service.status.load_balancer.ingress)
        and (service.annotations.get(_INTERNAL, "").casefold() == "true") is is_internal
    ]
