from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A frontend or outbound rule of the AKS load balancer was edited, and its rules point to nothing",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Resource (?P<missing>\S{0,300}/loadBalancers/[^/\s]+/(?:frontendIPConfigurations|outboundRules|backendAddressPools|probes)/\S+) referenced by .{0,400}? was not found",
            says="{missing} is referred to and does not exist",
            sample="InvalidResourceReference: Resource /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Network/loadBalancers/kubernetes/frontendIPConfigurations/5f0 referenced by resource /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Network/loadBalancers/kubernetes/loadBalancingRules/r1 was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.",
            near_miss="Resource /subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Network/loadBalancers/kubernetes/frontendIPConfigurations/5f0 referenced by resource r1 was found",
        ),
    ),
    why="Rules of the load balancer `kubernetes` refer to a frontend that is not there any more (`InvalidResourceReference`): aksOutboundRule or a frontend was edited by hand, or an update left out the outbound addresses that the cluster was made with. AKS writes the load balancer as a whole and is refused.",
    remedy=(
        Step(
            "See the frontends and the outbound rule as they are.",
            run=(
                "az",
                "network",
                "lb",
                "show",
                "-g",
                "{node_resource_group}",
                "-n",
                "kubernetes",
                "--query",
                "{frontends:frontendIPConfigurations[].name,outbound:outboundRules[].frontendIPConfigurations}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name the outbound addresses again, so that AKS writes the frontends and the rule anew.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-outbound-ips",
                "<public-ip-ids>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/invalidresourcereference-error",
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
    ),
    leads_to=(
        "aks.invalid_resource_reference",
        "aks.operation_failed",
    ),
    ask="az network lb show -g {node_resource_group} -n kubernetes -o json",
)
