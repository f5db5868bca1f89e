from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_way import ways_out
from sickbay.network.outbound import Egress, Way, egress_of
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    Weight,
    each,
)

# What routes do, or lack, is another fault, and `none` is a choice.
WAYS = ("LoadBalancer", "NatGateway", "Subnet")
OTHERS = ("none", "block", "userdefinedrouting")


@each(ManagedCluster)
def nothing_leads_out(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:
    if cluster.is_stopped:
        return Clear(f"{cluster.name} is stopped")
    declared = (cluster.network_profile and cluster.network_profile.outbound_type) or "loadBalancer"
    if declared.casefold() in OTHERS:
        return Clear(f"{cluster.name} has outboundType {declared}")
    if not ways_out(snapshot, cluster):
        raise UnseenError(Gap(AgentPool.kind, f"pools of {cluster.name}", to_open=AgentPool.look))
    way = egress_of(snapshot, cluster)
    if way.kind is Way.UNKNOWN and way.by.kind == "Subnet" and _is_without_nat(cluster):
        # Azure may still give the subnet a default way out, on which no cluster is meant to rely.
        return _lost(cluster, way, TYPICAL)
    if way.kind is Way.UNKNOWN:
        what = f"how subnet {arm(way.subnet).name or 'of the nodes'} reaches the internet"
        raise UnseenError((Gap("outbound", what), *way.gaps)[-1])
    if way.kind is not Way.NOTHING or way.by.kind not in WAYS:
        return Clear(f"{cluster.name} leaves by {way.kind} ({way.by.kind} {way.by.name})")
    return _lost(cluster, way, None)


def _is_without_nat(cluster: ManagedCluster) -> bool:
    declared = (cluster.network_profile and cluster.network_profile.outbound_type) or ""
    return cluster.is_unwell and declared.casefold().endswith("natgateway")


def _lost(cluster: ManagedCluster, way: Egress, weight: Weight | None) -> Match:
    return Match(
        f"{way.by.kind} {way.by.name} {way.by.says}",
        facts={"subnet": way.subnet, "outbound": way.declared},
        cites=(cluster.cite("properties.networkProfile.outboundType", way.declared),),
        weight=weight,
    )


RULE = Rule(
    title="The scale set has no outbound method: no NAT gateway, outbound rule or route to the internet",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        nothing_leads_out,
        Signature(
            pattern=r"\bOutboundConnectivityNotEnabledOnVM(?:SS)?\b",
            says="the scale set has no outbound connectivity",
            sample="Node auto-repair reimage action failed due to an operation failure: OutboundConnectivityNotEnabledOnVMSS",
            near_miss="OutboundConnectivityEnabledOnVMSS: reimage completed",
        ),
    ),
    why="`OutboundConnectivityNotEnabledOnVM` means that Azure knows of no explicit way out for the machine: a standard load balancer without outbound rule, no NAT gateway on the subnet, no default route, and no default outbound access.",
    remedy=(
        Step(
            "See which outbound type the cluster has and what the subnet offers.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.{type:outboundType,lb:loadBalancerProfile.effectiveOutboundIPs}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Where the load balancer has lost its outbound rule, reconcile the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Or attach a NAT gateway with a public address to the node subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "{subnet}",
                "--nat-gateway",
                "<nat-gateway-id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="curl -I https://mcr.microsoft.com on a node wants HTTP 200",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-auto-repair-errors",
        "https://learn.microsoft.com/azure/aks/egress-outboundtype",
    ),
    leads_to=(
        "aks.outbound_blocked",
        "aks.auto_repair_failed",
        "aks.node_cannot_reach_api",
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "kubernetes.registry_unreachable",
        "kubernetes.kubelet_silent",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
