from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resource of this name exists already: a node pool, a group that AKS did not make, or in another region",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bInvalidDeploymentLocation\b|\bNodeResourceGroup(?:SameAsResourceGroup|ManagedByAnotherResource)\b|\bInvalidResourceLocation\b|(?i:The resource '(?P<name>[^']{1,120})' already exists in location '(?P<location>[\w ]+)')|\bNodeResourceGroup(?:Already)?Exists\b|(?i:node ?resource ?group '?(?P<group>[\w.()-]+)'? (?:under subscription \S{1,60} )?already exists)|\bResourceGroupAlreadyExists\b|(?i:(?:agent|node) ?pool '?(?P<pool>\w{1,12})'? already exists)",
            says="the name is in use already",
            sample="(InvalidResourceLocation) The resource 'shop' already exists in location 'westeurope' in resource group 'rg'. A resource with the same name cannot be created in location 'northeurope'. Please select a new resource name.",
            near_miss="The resource 'shop' was created in location 'westeurope'",
            unless=r"(?i)appliance|ResourceConnector|resource ?bridge|connectedClusters",
        ),
    ),
    why="The location of a resource cannot be changed: a second one of the same type and name in a resource group is refused, whatever its region. A node resource group must not exist before its cluster, since AKS makes and deletes it itself.",
    remedy=(
        Step(
            "See what has the name.",
            run=(
                "az",
                "resource",
                "list",
                "--name",
                "<name>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take another name, or delete the old resource first if nothing needs it; for the node resource group choose another --node-resource-group."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
        "https://learn.microsoft.com/azure/aks/faq",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az resource list -g {resource_group} -o table",
)
