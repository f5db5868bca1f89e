from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet holds resources of an external service that excludes others",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\bSubnetWithExternalResourcesCannotBeUsedByOtherResources\b|cannot be used because it contains external resources",
            says="an external service holds the subnet",
            sample="SubnetWithExternalResourcesCannotBeUsedByOtherResources: Subnet /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n referenced by aks-np1-vmss cannot be used because it contains external resources.",
            near_miss="Subnet n can be used because it contains no external resources",
        ),
    ),
    why="A service association link (of App Service, Container Instances, SQL Managed Instance and others) reserves the whole subnet for that service.",
    remedy=(
        Step(
            "See what is linked to the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "serviceAssociationLinks",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the nodes a subnet of their own, or remove the external service from this one.",
            risk=Risk.DISRUPTIVE,
            verify="az network vnet subnet show --ids <subnet-id> --query serviceAssociationLinks wants null",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/subnetwithexternalresourcescannotbeusedbyotherresources-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
