from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet lacks the delegation that the service in it needs, or it cannot be changed while in use",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bSubnetMissingRequiredDelegation\b|\bSubnetDelegationsCannotChange\w*|(?i:subnet \S{1,300} (?:must be|is not|has not been|needs to be|should be) delegated to (?P<service>Microsoft\.[\w./]+))|(?i:missing required delegation (?P<wanted>Microsoft\.[\w./]+))|(?i:delegations? of subnet \S{1,300} cannot be changed)",
            says="the delegation of the subnet does not fit",
            sample="SubnetMissingRequiredDelegation: Subnet pods referenced by resource aks-pool is missing required delegation Microsoft.ContainerService/managedClusters",
            near_miss="Subnet pods is delegated to Microsoft.ContainerService/managedClusters",
        ),
    ),
    why="Pod subnets (Azure CNI dynamic allocation), the API server subnet (VNet integration), Application Gateway for Containers and database servers take a subnet only when it is delegated to their service; a delegation can be set or changed only while nothing uses the subnet.",
    remedy=(
        Step(
            "See the delegations, and what uses the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "{delegations:delegations[].serviceName,used:ipConfigurations[].id}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delegate it (API server: Microsoft.ContainerService/managedClusters), or make a new, empty subnet with the delegation.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "<subnet-id>",
                "--delegations",
                "Microsoft.ContainerService/managedClusters",
            ),
            risk=Risk.SAFE,
            verify="the operation that failed passes when repeated",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/manage-subnet-delegation",
        "https://learn.microsoft.com/azure/aks/api-server-vnet-integration",
    ),
    leads_to=("aks.operation_failed", "aks.deployment_failed", "aso.not_ready"),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
