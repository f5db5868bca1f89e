from sickbay.model.hybrid import LogicalNetwork, ProvisionedClusterInstance
from sickbay.model.ids import arm, arm_type
from sickbay.model.nexus import same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ProvisionedClusterInstance)
def network_is_dynamic(
    cluster: ProvisionedClusterInstance, snapshot: Snapshot
) -> Match | Clear | None:
    kind = LogicalNetwork.kind.casefold()
    ids = [id for id in cluster.network_ids if arm_type(id).casefold() == kind]
    for id in ids:
        network = snapshot.get(arm(id), LogicalNetwork)
        for subnet in (network.subnets if network else None) or ():
            method = subnet.ip_allocation_method
            if network and method and not same_word(method, "Static"):
                return Match(
                    f"{cluster.title} uses {network.name}, which gives addresses by {method}",
                    facts={"network": network.name},
                    cites=(
                        network.cite("properties.subnets[].properties.ipAllocationMethod", method),
                    ),
                )
    return Clear(f"the logical network of {cluster.title} is static") if ids else None


RULE = Rule(
    title="An AKS cluster on Azure Local uses a logical network without static addresses",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        network_is_dynamic,
        Signature(
            pattern=r"(?i)logical ?network '?(?P<network>[\w.-]+)'? (?:(?:does not|doesn't) have (?:an |any )?ip ?pools?\b|(?:is|uses) (?:not static|dynamic|DHCP)\b)",
            says="the logical network {network} has no pool of addresses",
            sample='admission webhook "vhybridakscluster.kb.io" denied the request: Logical network aks-lnet-vlan110 does not have an ippool.',
            near_miss="Logical network aks-lnet-vlan110 has an ippool with 40 free addresses",
        ),
    ),
    why="AKS takes the addresses of its machines from the pools of a static logical network, with a gateway and DNS servers. On one with dynamic addresses (DHCP) the machines of the cluster get none.",
    remedy=(
        Step(
            "See how the network gives addresses.",
            run=("az", "stack-hci-vm", "network", "lnet", "list", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Create a logical network with --ip-allocation-method Static, an address prefix, a pool, a gateway and DNS servers; {network} cannot be changed.",
            risk=Risk.SAFE,
        ),
        Step(
            "Delete the cluster and create it again on that network.",
            risk=Risk.DESTRUCTIVE,
            verify="az aksarc show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-networks",),
    leads_to=("hybrid.cluster_failed", "kubernetes.webhook_denied"),
)
