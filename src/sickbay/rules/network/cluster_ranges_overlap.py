from collections.abc import Iterator

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet, VirtualNetwork, VirtualNetworkPeering
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def hides_a_network(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    profile = cluster.network_profile
    pods, services = (profile and profile.pod_cidr) or "", (profile and profile.service_cidr) or ""
    networks = _networks(cluster, snapshot)
    if not networks or not (pods or services):
        return None
    for role, range in (("pod", pods), ("service", services)):
        for prefix, where in _reached(networks, snapshot):
            if _overlap(range, prefix):
                return Match(
                    f"the {role} range {range} of {cluster.name} overlaps {prefix} of {where}",
                    facts={"range": range, "role": role, "other": prefix},
                    cites=(cluster.cite(f"networkProfile.{role}Cidr", range),),
                    # Only addresses of services that exist are taken away from the network.
                    weight=TYPICAL if role == "service" else None,
                )
    return Clear(
        f"{pods or 'no pod range'} and {services or 'no service range'} are free in the networks in evidence"
    )


def _networks(cluster: ManagedCluster, snapshot: Snapshot) -> list[str]:
    """The ARM ids of the networks that the nodes are in."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    subnets = {pool.vnet_subnet_id for pool in pools if pool.vnet_subnet_id}
    return sorted({arm(subnet).parent for subnet in subnets})


def _reached(networks: list[str], snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The prefixes that the nodes reach without leaving Azure's networks, and whose they are."""
    for id in networks:
        key = arm(id).key
        for subnet in sorted(snapshot.grouped(Subnet, "parent_key", key), key=_name):
            yield from ((prefix, f"subnet {subnet.ref.name}") for prefix in subnet.prefixes)
        peerings = snapshot.grouped(VirtualNetworkPeering, "parent_key", key)
        for peering in sorted(peerings, key=_name):
            where = f"network {arm(peering.remote_id).name} behind peering {peering.ref.name}"
            yield from ((prefix, where) for prefix in peering.remote_prefixes)
        # Without the network itself there may be other subnets and peerings.
        snapshot.get(arm(id), VirtualNetwork)


def _name(entity: Subnet | VirtualNetworkPeering) -> str:
    return entity.ref.key


def _overlap(one: str, other: str) -> bool:
    left, right = parse(one), parse(other)
    return left is not None and right is not None and left.overlaps(right)


RULE = Rule(
    title="The pod or service range of the cluster overlaps a subnet or a peered network",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(hides_a_network,),
    why="What pods send to an address of the pod range or to the address of a service never leaves the cluster. Machines in a subnet, a peered or an on-premises network that have such addresses cannot be reached from pods, and their answers may go to the wrong place; Azure checks this only against the cluster's own subnet, and only at creation.",
    remedy=(
        Step(
            "See the ranges of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "networkProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "A {role} range cannot be changed: create a cluster with one that nothing uses (not {range}) and move the workloads, or give the network {other} another range.",
            run=(
                "az",
                "aks",
                "create",
                "--resource-group",
                "{resource_group}",
                "--name",
                "<new-cluster>",
                "--pod-cidr",
                "<free-range>",
                "--service-cidr",
                "<free-range>",
                "--dns-service-ip",
                "<address-in-it>",
            ),
            risk=Risk.SAFE,
            verify="a pod reaches a machine in {other}",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
        "https://learn.microsoft.com/azure/aks/azure-cni-overlay",
    ),
    leads_to=("network.connection_times_out",),
    ask="az network vnet list -o json",
)
