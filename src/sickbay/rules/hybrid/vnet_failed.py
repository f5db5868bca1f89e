from sickbay.model.hybrid import HybridNetwork
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(HybridNetwork, SYMPTOM)
def vnet_is_failed(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not vnet.is_unwell:
        return Clear(f"virtual network {vnet.name} is Succeeded") if vnet.is_succeeded else None
    return Match(
        f"virtual network {vnet.name} is {vnet.provisioning_state}",
        cites=(vnet.cite("properties.provisioningState", vnet.provisioning_state),),
    )


RULE = Rule(
    title="An AKS hybrid virtual network is Failed, so no cluster can use the network that it wraps",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(vnet_is_failed,),
    why="A cluster attaches to a network of the site through an AKS hybrid virtual network. It fails when the network below it does not exist, is not Succeeded, is spelled with other capitals, or when the custom location is the wrong one.",
    remedy=(
        Step(
            "See which network it wraps, and the state of that.",
            run=("az", "hybridaks", "vnet", "show", "-g", "{resource_group}", "-n", "{name}"),
            risk=Risk.READ,
        ),
        Step(
            "Delete it, repair what is below, and create it again.",
            run=("az", "hybridaks", "vnet", "delete", "-g", "{resource_group}", "-n", "{name}"),
            risk=Risk.DESTRUCTIVE,
            verify="az hybridaks vnet show -g {resource_group} -n {name} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_failed", "aks.operation_failed"),
)
