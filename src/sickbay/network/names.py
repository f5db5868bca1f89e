"""Whether a name resolves for a pod or in a virtual network: to what, by whom, and why not."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import VirtualNetwork
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import DnsConfig, Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress import pools_of
from sickbay.network.names_answers import Resolution, answered, plain
from sickbay.network.names_cluster import ZONE, Cluster, ask_cluster, dns_services
from sickbay.network.names_servers import ask_network, ask_servers
from sickbay.network.names_zones import present
from sickbay.network.nsg_places import cluster_of, of_pod
from sickbay.network.prefixes import parse
from sickbay.network.traffic import Decider, Verdict

__all__ = ["Resolution", "resolve", "resolver_of", "tried"]

_OF_CLUSTER: Final = 5
_USUAL: Final = 1
_MOST_DOTS: Final = 15


class Resolver(NamedTuple):
    """What stands in the resolv.conf of a pod.

    `servers` is empty where the cluster's DNS is asked; `is_of_node` means that the pod uses what
    its node uses.
    """

    searches: tuple[str, ...] = ()
    dots: int = _USUAL
    servers: tuple[str, ...] = ()
    is_of_node: bool = False


def resolve(snapshot: Snapshot, name: str, asker: str | Pod) -> Resolution:
    """Resolve a name for a pod, or for a machine in a network (ARM id of it or of a subnet).

    Names that only public DNS answers count as resolved, with their addresses in the gaps.
    """
    if parse(name) is not None and "/" not in name:
        by = Decider("Address", name, "is an address and needs no name server")
        return answered(Verdict.ALLOWED, by, (name,))
    if isinstance(asker, Pod):
        return _for_pod(snapshot, name, asker)
    return ask_network(snapshot, _network_key(asker), plain(name))


def tried(name: str, searches: Sequence[str], dots: int) -> tuple[str, ...]:
    """The names that a resolver asks for, in order.

    A name with fewer dots than `ndots` is asked with the search domains first, and as it is last.
    """
    bare = plain(name)
    if name.endswith("."):
        return (bare,)
    longer = [f"{bare}.{plain(search)}" for search in searches if plain(search)]
    names = [bare, *longer] if bare.count(".") >= dots else [*longer, bare]
    return tuple(dict.fromkeys(names))


def resolver_of(pod: Pod) -> Resolver:
    """What Kubernetes writes into a pod's resolv.conf, by its DNS policy and configuration."""
    # Manifests without these fields ask the cluster first.
    policy = pod.spec.dns_policy or "ClusterFirst"
    config = pod.spec.dns_config or DnsConfig()
    searches, servers = tuple(config.searches or ()), tuple(config.nameservers or ())
    if policy == "None":
        return Resolver(searches, _dots(config, _USUAL), servers)
    if policy == "Default" or (policy == "ClusterFirst" and pod.spec.host_network):
        return Resolver(searches, _dots(config, _USUAL), (), is_of_node=True)
    namespace = pod.namespace or "default"
    own = (f"{namespace}.svc.{ZONE}", f"svc.{ZONE}", ZONE)
    return Resolver((*own, *searches), _dots(config, _OF_CLUSTER))


def _for_pod(snapshot: Snapshot, name: str, pod: Pod) -> Resolution:
    resolver = resolver_of(pod)
    home = _cluster(snapshot, pod)
    bare = plain(name)
    names = tried(name, resolver.searches, resolver.dots)
    # Of a bare word the first name tells most; any other is meant as it stands.
    meant = bare if "." in bare else names[0]
    before: list[Decider] = []
    failed: dict[str, Resolution] = {}
    for candidate in names:
        found = failed[candidate] = _ask(snapshot, resolver, home, candidate)
        if found.verdict is Verdict.ALLOWED:
            return found.after(before)
        before += found.considered
    told = [meant, *names[:-1]] if _is_likely(snapshot, bare) else [meant]
    unsure = (failed[one] for one in told if failed[one].verdict is Verdict.UNKNOWN)
    return next(unsure, failed[meant])._replace(considered=()).after(before)


def _is_likely(snapshot: Snapshot, name: str) -> bool:
    """Whether a name may be meant as one of a service: `db`, `db.shop` or `db.shop.svc`."""
    labels = name.split(".")
    return len(labels) == 1 or labels[2:] == ["svc"] or _has_namespace(snapshot, labels)


def _has_namespace(snapshot: Snapshot, labels: list[str]) -> bool:
    return len(labels) == len(("service", "namespace")) and (
        snapshot.find(kube("Namespace", "", labels[1])) is not None
    )


def _ask(snapshot: Snapshot, resolver: Resolver, home: Cluster, name: str) -> Resolution:
    if resolver.is_of_node:
        return ask_network(snapshot, home.network, name)
    others = [one for one in resolver.servers if one != home.dns_address]
    if others and len(others) == len(resolver.servers):
        by = Decider("Pod", "dnsConfig", f"asks {', '.join(others)}")
        return ask_servers(snapshot, home.network, others, name).after((by,))
    return ask_cluster(snapshot, home, name)


def _cluster(snapshot: Snapshot, pod: Pod) -> Cluster:
    node = snapshot.find(kube("Node", "", pod.node)) if pod.node else None
    cluster = cluster_of(snapshot, node) if isinstance(node, Node) else None
    clusters = present(snapshot, ManagedCluster)
    if cluster is None and len(clusters) == 1:
        cluster = clusters[0]
    place = of_pod(snapshot, pod)
    network = _network_key(place.subnet) if place and place.subnet else ""
    profile = cluster.network_profile if cluster else None
    address = next(iter(dns_services(snapshot)), "") or (profile and profile.dns_service_ip) or ""
    if not network and cluster is not None:
        network = _network_of(snapshot, cluster)
    return Cluster(network, address)


def _network_of(snapshot: Snapshot, cluster: ManagedCluster) -> str:
    """The one network that all pools of a cluster are in, or an empty string."""
    subnets = {pool.vnet_subnet_id or "" for pool in pools_of(snapshot, cluster)}
    networks = {_network_key(subnet) for subnet in subnets if subnet}
    if not networks and cluster.node_resource_group:
        # AKS made the network, next to the nodes.
        group = f"{cluster.node_group_id.casefold()}/"
        own = (one.ref.key for one in present(snapshot, VirtualNetwork))
        networks = {key for key in own if key.startswith(group)}
    return networks.pop() if len(networks) == 1 else ""


def _network_key(id: str) -> str:
    ref = arm(id)
    return arm(ref.parent).key if ref.kind.casefold().endswith("/subnets") else ref.key


def _dots(config: DnsConfig, usual: int) -> int:
    for option in config.options or ():
        value = option.value or ""
        if option.name == "ndots" and value.isdecimal() and len(value) <= len("15"):
            return min(int(value), _MOST_DOTS)
    return usual
