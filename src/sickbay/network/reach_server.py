"""The way to the API server of a cluster: its name, its service, the network, and who may call."""

from collections.abc import Iterator

from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap
from sickbay.model.snapshot import Snapshot
from sickbay.network import apiserver, outbound, policy, reach_azure, services
from sickbay.network.names_endpoints import server_addresses
from sickbay.network.reach_legs import Asked, Leg, is_inside, resolved
from sickbay.network.reach_spots import Spot, SpotKind
from sickbay.network.services_backends import Backend
from sickbay.network.traffic import Decider, Decision, Place, Traffic, Verdict

_HTTPS = 443


def to_server(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    """Every layer from one end to the API server."""
    inside = is_inside(snapshot, asked.source)
    backends: tuple[Backend, ...] = ()
    service = asked.target.service
    if inside and asked.source.place.pod is not None and service is not None:
        wired = services.wiring(snapshot, service, None, "TCP", asked.source.place.pod.node)
        backends = tuple(one for one in wired.backends if one.ready)
        yield Leg("service", _published(wired.decision, backends))
    cluster = asked.target.cluster
    yield from _by_name(snapshot, asked, cluster)
    target = _target(snapshot, asked, cluster, backends)
    port = next((one.port for one in backends if one.port), 0) or asked.traffic.port or _HTTPS
    traffic = Traffic("TCP", port)
    if inside:
        yield Leg("policies", policy.decide(snapshot, asked.source.place, target.place, traffic))
    for layer, decision in reach_azure.between(snapshot, asked.source, target, traffic):
        yield Leg(layer, decision)
    if cluster is None:
        look = ManagedCluster.look
        gap = Gap(ManagedCluster.kind, "who may call the API server", to_open=look)
        yield Leg("api server", Decision(Verdict.ALLOWED, gaps=(gap,)))
        return
    yield Leg("api server", _admitted(snapshot, asked, cluster, inside=inside))


def _published(decision: Decision, backends: tuple[Backend, ...]) -> Decision:
    """AKS itself publishes the API server's address: that nobody read it is only a gap."""
    if decision.verdict is Verdict.UNKNOWN and not backends:
        return decision._replace(verdict=Verdict.ALLOWED)
    return decision


def _by_name(snapshot: Snapshot, asked: Asked, cluster: ManagedCluster | None) -> Iterator[Leg]:
    """Pods find the API server by its service; nodes and clients find it by its name."""
    name = asked.target.place.fqdn
    if not name and cluster is not None and asked.source.place.pod is None:
        name = (cluster.private_fqdn if cluster.is_private else None) or cluster.fqdn or ""
    if name:
        yield Leg("name", resolved(snapshot, asked.source, name).decision)


def _target(
    snapshot: Snapshot,
    asked: Asked,
    cluster: ManagedCluster | None,
    backends: tuple[Backend, ...],
) -> Spot:
    private = server_addresses(snapshot, cluster) if cluster is not None else ()
    known = tuple(backend.address for backend in backends) or private
    fqdn = asked.target.place.fqdn or (cluster.fqdn if cluster and not private else "") or ""
    return Spot(SpotKind.ADDRESS, Place("apiserver", known, fqdn=fqdn))


def _admitted(
    snapshot: Snapshot, asked: Asked, cluster: ManagedCluster, *, inside: bool
) -> Decision:
    source = asked.source
    if inside:
        leaves = outbound.egress_of(snapshot, cluster)
        client = apiserver.Client(is_inside=True, outbound=leaves.addresses)
        return apiserver.decide(snapshot, cluster, client)
    ranges = apiserver.ranges_of(cluster)
    if source.kind is SpotKind.INTERNET and not asked.client and ranges:
        says = f"lets in {', '.join(ranges)} only, and not the whole internet"
        by = Decider("ManagedCluster", cluster.name, says, cluster.ref)
        return Decision(Verdict.BLOCKED, (by,), (by,))
    address = next(iter(source.place.addresses), "") or asked.client
    at = reach_azure.whereabouts(snapshot, source)
    network = at.subnet.rpartition("/subnets/")[0] if at is not None else ""
    return apiserver.decide(snapshot, cluster, apiserver.Client(address, network))
