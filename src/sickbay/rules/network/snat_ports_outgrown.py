from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.evidence import UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.outbound import Way, egress_of
from sickbay.network.outbound_ports import addresses_needed, snat_ports
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def outgrows_its_ports(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    outbound = (cluster.network_profile and cluster.network_profile.outbound_type) or ""
    if outbound.casefold() != "loadbalancer":
        return None
    egress = egress_of(snapshot, cluster)
    if egress.kind is not Way.LOAD_BALANCER:
        return None
    if egress.ports is None:
        if egress.gaps:
            raise UnseenError(egress.gaps[0])
        return None
    if egress.ports.is_automatic:
        return None
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    most = sum((pool.max_count if pool.enable_auto_scaling else pool.count) or 0 for pool in pools)
    addresses = egress.ports.available // snat_ports(1, 1).available
    grown = snat_ports(addresses, most, egress.ports.per_node)
    sums = f"{most} nodes x {grown.per_node} ports = {grown.needed} of {grown.available} that {addresses} outbound addresses have"
    if grown.fits:
        return Clear(sums)
    return Match(
        f"load balancer {egress.by.name} has no ports for all nodes that {cluster.name} may have: {sums}; node {grown.most_nodes + 1} is refused",
        facts={"count": str(addresses_needed(most, grown.per_node)), "ports": str(grown.per_node)},
        cites=(cluster.cite("agentPoolProfiles[*].maxCount", most),),
    )


RULE = Rule(
    title="The outbound ports (SNAT) of the load balancer do not suffice for the nodes that the autoscaler may add",
    severity=Severity.WARNING,
    categories=(Category.SCALING, Category.CONNECTIVITY),
    detect=(outgrows_its_ports,),
    why="With a fixed number of allocated outbound ports every node takes that many of the 64,000 SNAT ports of each outbound address. When the nodes that autoscaling or an upgrade adds need more than there are, Azure refuses them and the operation fails.",
    remedy=(
        Step(
            "Give the load balancer as many outbound addresses as the largest number of nodes needs, or fewer ports to each node.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--load-balancer-managed-outbound-ip-count",
                "{count}",
                "--load-balancer-outbound-ports",
                "{ports}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nodes x ports wants to be at most addresses x 64000",
        ),
        Step("Or use a NAT gateway, which shares its ports among the nodes as they need them."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/snat-port-exhaustion",
    ),
    leads_to=("aks.outbound_ports_infeasible",),
)
