from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The address that a service asks for cannot be used by its load balancer (missing, taken, other SKU or subnet)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)user supplied IP Address (?P<address>[\d.]+) was not found|user supplied pip name (?P<pip>[\w.-]+) was not found|(?:no|cannot find) public IP (?:with|named) .{1,120}? (?:found|in resource group)|findMatchedPIP\w*: cannot find public IP|\bPublicIPReferencedByMultipleIPConfigs\b|\bLoadBalancerSkuCannotBeChanged\w*|\bCannotMixIPAddressTypes\w*|load ?balancer.{0,200}?is not a (?:private|public) IP|cannot find public IP with IP address (?P<missing>[\d.]+) in resource group (?P<group>[\w.()-]+)|load ?balancer.{0,600}?\b(?:PrivateIPAddress(?:IsAllocated|InReservedRange|NotInSubnet|InUse)|PublicIPAddressInUse)\b|PrivateIPAddressIsAllocated.{0,400}?frontendIPConfigurations|DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed|(?:Standard|Basic) sku publicIp \S{3,300} referenced by (?:Basic|Standard) sku load ?balancer|PublicIPAndLBSkuDoNotMatch",
            says="the load balancer of a service cannot have the address that was asked for",
            sample="Error syncing load balancer: failed to ensure load balancer: user supplied IP Address 20.50.1.2 was not found in resource group MC_shop_aks_westeurope",
            near_miss="Error syncing load balancer: failed to ensure load balancer: instance not found",
        ),
    ),
    why="A service can only get a public IP that exists in the node resource group (or in the group that its annotation names), is unused, and is of the SKU of the load balancer; an internal one only a free address of its subnet, outside the first four and the last.",
    remedy=(
        Step(
            "See which public addresses there are, with SKU and use.",
            run=("az", "network", "public-ip", "list", "--output", "table"),
            risk=Risk.READ,
        ),
        Step(
            "If it lies in another resource group, name that group at the service, and give the cluster identity Network Contributor there.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "<service>",
                "-n",
                "{namespace}",
                "service.beta.kubernetes.io/azure-load-balancer-resource-group=<group>",
                "--overwrite",
            ),
        ),
        Step(
            "Or choose an address that exists, is free, lies in the subnet and has the SKU Standard.",
            verify="kubectl get service -n {namespace} shows an EXTERNAL-IP",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/static-ip",
        "https://learn.microsoft.com/azure/aks/internal-lb",
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    ask="az network public-ip list --output table",
)
