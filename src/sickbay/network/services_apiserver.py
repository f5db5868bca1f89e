"""Whether the service `kubernetes` leads to where the API server of an AKS cluster is."""

from collections.abc import Sequence
from typing import Final

from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.naming import PrivateEndpoint
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.names_endpoints import addresses_of
from sickbay.network.prefixes import contains
from sickbay.network.services_backends import Backend
from sickbay.network.traffic import Decider, Decision, Verdict

_NAMES: Final = frozenset({"kubernetes", "kubernetes-internal"})
_PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")


def decide(snapshot: Snapshot, service: Service, backends: Sequence[Backend]) -> Decision | None:
    """Compare the endpoints of the API server with its own address; None where nothing tells."""
    if service.namespace != "default" or service.name not in _NAMES:
        return None
    clusters = snapshot.some(ManagedCluster) if snapshot.holds(ManagedCluster.kind) else ()
    addresses = sorted({one.address for one in backends if one.ready and one.address})
    # Of several clusters it is not told which one this service is of.
    if len(clusters) != 1 or not addresses:
        return None
    cluster = clusters[0]
    if cluster.has_integrated_server:
        return _against_subnet(snapshot, cluster, service, addresses)
    if not cluster.is_private:
        return None
    return _against_endpoint(snapshot, cluster, service, addresses)


def _against_subnet(
    snapshot: Snapshot, cluster: ManagedCluster, service: Service, addresses: list[str]
) -> Decision | None:
    access = cluster.api_server_access_profile
    subnet = snapshot.find(arm((access and access.subnet_id) or ""))
    if not isinstance(subnet, Subnet) or not subnet.prefixes:
        return None
    where = f"subnet {subnet.ref.name} ({', '.join(subnet.prefixes)}) of the API server"
    is_inside = any(contains(one, address) for one in subnet.prefixes for address in addresses)
    says = f"names {', '.join(addresses)}, {'in' if is_inside else 'outside'} {where}"
    return _decision(service, says, is_right=is_inside)


def _against_endpoint(
    snapshot: Snapshot, cluster: ManagedCluster, service: Service, addresses: list[str]
) -> Decision | None:
    # Besides the one of AKS there may be others that users made: all lead to the same server.
    known: dict[str, str] = {}
    for endpoint in _endpoints_of(snapshot, cluster):
        for address in addresses_of(snapshot, endpoint):
            known.setdefault(address, endpoint.ref.name)
    if known:
        names = ", ".join(dict.fromkeys(known.values()))
        says = (
            f"names {', '.join(addresses)}, and private endpoint {names} "
            f"of {cluster.name} has {', '.join(sorted(known))}"
        )
        return _decision(service, says, is_right=not known.keys().isdisjoint(addresses))
    public = [one for one in addresses if not any(contains(range, one) for range in _PRIVATE)]
    if public:
        says = (
            f"names {public[0]}, a public address, "
            f"while the API server of {cluster.name} has a private one only"
        )
        return _decision(service, says, is_right=False)
    return None


def _endpoints_of(snapshot: Snapshot, cluster: ManagedCluster) -> list[PrivateEndpoint]:
    found = snapshot.some(PrivateEndpoint) if snapshot.holds(PrivateEndpoint.kind) else ()
    wanted = cluster.ref
    return [
        endpoint
        for endpoint in sorted(found, key=lambda one: one.ref)
        if any(arm(one.private_link_service_id or "") == wanted for one in endpoint.connections)
    ]


def _decision(service: Service, says: str, *, is_right: bool) -> Decision:
    decider = Decider("Endpoints", f"{service.namespace}/{service.name}", says)
    return Decision(Verdict.ALLOWED if is_right else Verdict.BLOCKED, (decider,), (decider,))
