"""Whether the API server of a cluster takes a connection: ranges, private access, who calls."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import VirtualNetwork
from sickbay.model.evidence import Gap
from sickbay.model.ids import arm
from sickbay.model.naming import Caller
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress import pools_of
from sickbay.network.prefixes import contains, is_same, parse
from sickbay.network.traffic import Decider, Decision, Verdict

# As a range it stands for the load balancer of the cluster, and admits nobody else.
_OWN_BALANCER: Final = "0.0.0.0/32"
_SEE_ADDRESS: Final = "dig +short myip.opendns.com @resolver1.opendns.com"
_SEE_CLUSTER: Final = "az aks show -g {resource_group} -n {cluster} -o json"
_MOST_NAMED: Final = 5
_NOT_PUBLIC: Final = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::/127",
    "fc00::/7",
    "fe80::/10",
)
# Ways out whose addresses AKS does not put into the ranges by itself, and what to look for.
_WAYS_OUT: Final = {
    "userdefinedrouting": ("firewall", "az network public-ip list -o json"),
    "userassignednatgateway": ("NAT gateway", "az network nat gateway list -o json"),
    "managednatgateway": ("NAT gateway", "az network nat gateway list -o json"),
}


class Client(NamedTuple):
    """Who calls the API server.

    `address` is what the client calls from, as the internet sees it. `network` is the ARM id of
    the virtual network that it stands in. `is_inside` means nodes and pods of the cluster itself;
    `outbound` are then the public addresses that they leave through, where these are known.
    """

    address: str = ""
    network: str = ""
    is_inside: bool = False
    outbound: tuple[str, ...] = ()


def decide(snapshot: Snapshot, cluster: ManagedCluster, client: Client = Client()) -> Decision:  # noqa: B008 - immutable
    """Decide whether the API server takes connections of a client.

    Routes, filters and names on the way are for others. Without an address of the client the
    callers in the activity log stand in for it; if there are none either, the answer is unknown
    unless it is the same for everybody.
    """
    if cluster.is_stopped:
        return _blocked(cluster, "is stopped, so that its API server does not run")
    if cluster.is_private:
        return _private(snapshot, cluster, client)
    if client.is_inside:
        return _from_nodes(snapshot, cluster, client)
    return _from_outside(snapshot, cluster, client)


def _from_outside(snapshot: Snapshot, cluster: ManagedCluster, client: Client) -> Decision:
    if (cluster.public_network_access or "").casefold() == "disabled":
        return _blocked(cluster, "has publicNetworkAccess Disabled: nobody outside is let in")
    ranges = ranges_of(cluster)
    if not ranges:
        return _allowed(cluster, "has no authorized ranges: its API server is open to the internet")
    if _is_public(client.address):
        return _by_ranges(cluster, ranges, client.address)
    return _by_callers(snapshot, cluster, ranges, client)


def ranges_of(cluster: ManagedCluster) -> tuple[str, ...]:
    """The authorized ranges of a cluster; none means that everybody is authorized."""
    access = cluster.api_server_access_profile
    return tuple((access and access.authorized_ip_ranges) or ())


def callers_of(snapshot: Snapshot) -> tuple[Caller, ...]:
    """Who called Azure with a public address, the newest day of each caller and address first."""
    found = snapshot.some(Caller) if snapshot.holds(Caller.kind) else ()
    newest: dict[tuple[str, str], Caller] = {}
    for caller in sorted(found, key=lambda one: (one.day, one.who, one.address), reverse=True):
        if _is_public(caller.address):
            newest.setdefault((caller.who, caller.address), caller)
    return tuple(newest.values())


def _by_ranges(cluster: ManagedCluster, ranges: Sequence[str], address: str) -> Decision:
    holding = next((one for one in ranges if _admits(one, address)), "")
    if holding:
        return _allowed(cluster, f"has the authorized range {holding}, which holds {address}")
    if all(is_same(one, _OWN_BALANCER) for one in ranges):
        says = "has the one authorized range 0.0.0.0/32: only its own load balancer may call"
        return _blocked(cluster, says)
    says = f"has authorized ranges that leave out {address}: {_named(ranges)}"
    return _blocked(cluster, says)


def _by_callers(
    snapshot: Snapshot, cluster: ManagedCluster, ranges: Sequence[str], client: Client
) -> Decision:
    """The address of the client is not known, or says nothing: behind it stands a public one."""
    if any(contains(one, "0.0.0.0/0") for one in ranges):
        return _allowed(cluster, "has the authorized range 0.0.0.0/0: everybody may call")
    if all(is_same(one, _OWN_BALANCER) for one in ranges):
        return _by_ranges(cluster, ranges, "everybody else")
    callers = () if client.address or client.network else callers_of(snapshot)
    decisions = [_by_ranges(cluster, ranges, caller.address) for caller in callers]
    seen = tuple(
        Decider(
            "Caller",
            one.who or "the client",
            f"called Azure from {one.address} on {one.day}" if one.who else f"is {one.address}",
        )
        for one in callers
    )
    if len({decision.verdict for decision in decisions}) == 1:
        return decisions[0]._replace(considered=(*seen, *decisions[0].considered))
    whose = client.address or "the client"
    what = f"the public address of {whose}, which must be in {_named(ranges)}"
    by = _decider(cluster, f"lets in {_named(ranges)} only")
    gap = Gap("client address", what, to_open=_SEE_ADDRESS)
    considered = (*seen, *(decider for decision in decisions for decider in decision.by))
    return Decision(Verdict.UNKNOWN, (by,), (*considered, by), (gap,))


def _from_nodes(snapshot: Snapshot, cluster: ManagedCluster, client: Client) -> Decision:
    ranges = ranges_of(cluster)
    if cluster.has_integrated_server:
        return _allowed(cluster, "has its API server in the network: nodes use its private address")
    if not ranges:
        return _allowed(cluster, "has no authorized ranges: its nodes may call from anywhere")
    if client.outbound:
        return _by_outbound(cluster, ranges, client.outbound)
    public = [pool.name for pool in pools_of(snapshot, cluster) if pool.enable_node_public_ip]
    kind = (cluster.network_profile and cluster.network_profile.outbound_type) or "loadBalancer"
    way, look = _WAYS_OUT.get(kind.casefold(), ("", ""))
    if public:
        way, look = f"nodes of pool {public[0]}", "az network public-ip prefix list -o json"
    if not way:
        says = "authorizes the outbound addresses of its own load balancer by itself"
        return _allowed(cluster, says)
    gap = Gap(
        "outbound addresses",
        f"the public addresses of the {way}, which must be in {_named(ranges)}",
        to_open=look,
    )
    by = _decider(cluster, f"lets its nodes in only if {_named(ranges)} hold those of the {way}")
    return Decision(Verdict.UNKNOWN, (by,), (by,), (gap,))


def _by_outbound(
    cluster: ManagedCluster, ranges: Sequence[str], outbound: Sequence[str]
) -> Decision:
    kind = (cluster.network_profile and cluster.network_profile.outbound_type) or "loadBalancer"
    if kind.casefold() == "loadbalancer":
        says = f"authorizes {', '.join(outbound)} of its own load balancer by itself"
        return _allowed(cluster, says)
    missing = [one for one in outbound if not any(_admits(range, one) for range in ranges)]
    if not missing:
        says = f"has authorized ranges that hold {', '.join(outbound)}, where its nodes leave"
        return _allowed(cluster, says)
    says = f"has authorized ranges that leave out {', '.join(missing)}, where its nodes leave"
    return _blocked(cluster, f"{says}: {_named(ranges)}")


def _private(snapshot: Snapshot, cluster: ManagedCluster, client: Client) -> Decision:
    if client.is_inside:
        return _allowed(cluster, "is private: its nodes use the private address of the API server")
    homes = _networks(snapshot, cluster)
    inside = client.network and arm(client.network).key in homes
    if inside or _lies_in(snapshot, homes, client.address):
        return _allowed(cluster, "is private, and the client stands in its network")
    if client.network:
        says = "is private: networks that are peered with its own, or joined by VPN, may call"
        return _allowed(cluster, says)
    where = ", ".join(sorted(key.rpartition("/")[2] for key in homes)) or "of the cluster"
    if _is_public(client.address):
        says = f"is private and has no public address: {client.address} must come into network"
        return _blocked(cluster, f"{says} {where} or one that is joined to it")
    whose = client.address or "the client"
    what = f"whether the network of {whose} is joined to network {where} (peering, VPN, or in it)"
    by = _decider(cluster, f"is private: its API server has an address in network {where} only")
    gap = Gap("client network", what, to_open=_SEE_CLUSTER)
    return Decision(Verdict.UNKNOWN, (by,), (by,), (gap,))


def _networks(snapshot: Snapshot, cluster: ManagedCluster) -> frozenset[str]:
    """The keys of the virtual networks that hold the nodes or the API server of a cluster."""
    access = cluster.api_server_access_profile
    subnets = [pool.vnet_subnet_id for pool in pools_of(snapshot, cluster)]
    subnets.append(access.subnet_id if access else None)
    own = {arm(arm(subnet).parent).key for subnet in subnets if subnet}
    group = cluster.node_group_id.casefold()
    if not own and group:
        own = {ref.key for ref in snapshot.refs() if _is_network_of(ref.key, group)}
    return frozenset(own)


def _is_network_of(key: str, group: str) -> bool:
    beginning = f"{group}/providers/microsoft.network/virtualnetworks/"
    return key.startswith(beginning) and "/" not in key[len(beginning) :]


def _lies_in(snapshot: Snapshot, networks: frozenset[str], address: str) -> bool:
    if not address or _is_public(address):
        return False
    found = (snapshot.find(arm(key)) for key in sorted(networks))
    spaces = [one.address_space for one in found if isinstance(one, VirtualNetwork)]
    prefixes = [prefix for space in spaces if space for prefix in space.address_prefixes or ()]
    return any(contains(prefix, address) for prefix in prefixes)


def _admits(range: str, address: str) -> bool:
    return not is_same(range, _OWN_BALANCER) and contains(range, address)


def _is_public(address: str) -> bool:
    if parse(address) is None or "/" in address:
        return False
    return not any(contains(prefix, address) for prefix in _NOT_PUBLIC)


def _named(ranges: Sequence[str]) -> str:
    more = len(ranges) - _MOST_NAMED
    return ", ".join(ranges[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _decider(cluster: ManagedCluster, says: str) -> Decider:
    return Decider("ManagedCluster", cluster.name, says, cluster.ref)


def _allowed(cluster: ManagedCluster, says: str) -> Decision:
    by = _decider(cluster, says)
    return Decision(Verdict.ALLOWED, (by,), (by,))


def _blocked(cluster: ManagedCluster, says: str) -> Decision:
    by = _decider(cluster, says)
    return Decision(Verdict.BLOCKED, (by,), (by,))
