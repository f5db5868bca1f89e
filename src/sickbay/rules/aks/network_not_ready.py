from sickbay.model.aks import AgentPool
from sickbay.model.azure import VirtualNetwork
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AgentPool)
def network_is_unsettled(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    if not pool.vnet_subnet_id or not pool.is_unwell:
        return None
    network = snapshot.get(arm(arm(pool.vnet_subnet_id).parent), VirtualNetwork)
    state = (network and network.provisioning_state) or ""
    if network is None or not state:
        return None
    if state.casefold() == "succeeded":
        return Clear(f"the network {network.name} is {state}")
    return Match(
        f"the network {network.name} of node pool {pool.name} is {state}",
        facts={"network_id": network.id},
        cites=(network.cite("properties.provisioningState", state),),
    )


RULE = Rule(
    title="The network resource that is referred to is not in a succeeded state yet (ReferencedResourceNotProvisioned)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        network_is_unsettled,
        Signature(
            pattern=r"\bLoadBalancerProfileOutboundIP(?:Prefix)?ProvisioningNotSucceeded\b|\bPrivateEndpointConnectionNotInSucceededStateError\b|\bVirtualNetworkNotInSucceededState\b|\bReferencedResourceNotProvisioned\b|(?i:virtual network .{0,100}?not in (?:a )?succeeded (?:provisioning )?state)|Cannot proceed with operation because resource \S+ used by resource \S+ is not in Succeeded state",
            says="a network resource is not in a succeeded state",
            sample="ReferencedResourceNotProvisioned: Cannot proceed with operation because resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n used by resource vmss is not in Succeeded state. Resource is in Updating state",
            near_miss="Operation proceeds: resource /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v is in Succeeded state",
        ),
    ),
    why="Another operation is changing the virtual network or one of its subnets, or left it as Failed. ARM lets nobody build on it before it is Succeeded again: it answers `VirtualNetworkNotInSucceededState`, or `ReferencedResourceNotProvisioned` inside a `RetryableError` (429).",
    remedy=(
        Step(
            "See the state of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "{network_id}",
                "--query",
                "{state:provisioningState,subnets:subnets[].{name:name,state:provisioningState}}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the other operation; if the state stays, write the network again without a change.",
            run=("az", "resource", "update", "--ids", "{network_id}"),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet show --ids {network_id} --query provisioningState wants Succeeded",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/virtualnetworknotinsucceededstate-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet show --ids <vnet-id> -o json",
)
