from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

OWN = "microsoft.containerservice/managedclusters"


@each(AgentPool)
def is_given_away(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    subnet = snapshot.get(arm(pool.vnet_subnet_id), Subnet) if pool.vnet_subnet_id else None
    if subnet is None or not pool.is_unwell:
        return None
    owners = [one.service_name or "" for one in subnet.delegations or ()]
    foreign = next((owner for owner in owners if owner and owner.casefold() != OWN), "")
    if not foreign:
        return Clear(f"subnet {subnet.name} is delegated to nobody else")
    return Match(
        f"subnet {subnet.name} of node pool {pool.name} is delegated to {foreign}",
        facts={"subnet_id": subnet.id},
        cites=(subnet.cite("properties.delegations", foreign),),
    )


RULE = Rule(
    title="The subnet is delegated to another Azure service (SubnetIsDelegated)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_given_away,
        Signature(
            pattern=r"(?i)\bResourceNotPermittedOnDelegatedSubnet\b|\bSubnetIsDelegated\b|cannot be used as it(?:'s| is) a delegated subnet",
            says="the subnet is delegated",
            sample="Code: SubnetIsDelegated Message: AgentPoolProfile subnet with id /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n cannot be used as it's a delegated subnet.",
            near_miss="Subnet n is not delegated and can be used",
        ),
    ),
    why="A delegated subnet takes machines only from the service that it is delegated to. Node pools cannot be placed in it.",
    remedy=(
        Step(
            "See to whom the subnet is delegated.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "{subnet_id}",
                "--query",
                "delegations",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Place the pool in a subnet without delegation; or, when nothing uses it, remove the delegation.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "{subnet_id}",
                "--remove",
                "delegations",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet subnet show --ids {subnet_id} --query delegations wants []",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/subnetisdelegated-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
