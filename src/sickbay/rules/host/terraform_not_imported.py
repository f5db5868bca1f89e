from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Terraform or Pulumi wants to create a resource that exists already and is not in its state",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)already exists - to be managed via Terraform this resource needs to be imported|cannot create already existing resource '?(?P<existing>/subscriptions/[^' ]+)|Error: A resource with the ID \"(?P<resource>/subscriptions/[^\"]+)\" already exists",
            says="the resource exists, and Terraform does not know it",
            sample='Error: A resource with the ID "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/shop/agentPools/user" already exists - to be managed via Terraform this resource needs to be imported into the State.',
            near_miss="azurerm_kubernetes_cluster_node_pool.user: Import complete",
        ),
    ),
    why="Terraform (and Pulumi likewise) creates what its state does not hold. The resource was made by hand, by an apply that broke off before it wrote its state, by another state, or by a policy; AKS itself makes some (the node resource group, diagnostic settings).",
    remedy=(
        Step(
            "Take it into the state.",
            run=("terraform", "import", "<address>", "<resource-id>"),
            risk=Risk.SAFE,
            verify="terraform plan wants no creation of it",
        ),
        Step(
            "Or delete the resource in Azure, if nobody needs it, and apply again.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://developer.hashicorp.com/terraform/cli/import",),
    ask="terraform state list",
)
