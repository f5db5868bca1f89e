from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A limit of Azure on network resources is reached (load balancers, frontends, rules, routes, endpoints)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?P<kind>(?:LoadBalanc|FrontendIP|InboundNat|BackendAddress|NetworkInterface|NetworkSecurityGroup|RouteTable|Route|VirtualNetwork|Subnet|PublicIPPrefix|NatGateway|PrivateEndpoint|PrivateLink|ApplicationGateway|VnetPeering)\w*Limit(?:Reached|Exceeded))\b|Cannot create more than (?P<limit>\d+) (?P<what>(?:load balancer|frontend|inbound|backend|network|route|virtual network|subnet|private)[\w ]{0,60}?) (?:for|in|with) ",
            says="a limit on network resources is reached",
            sample='{"error":{"code":"LoadBalancerCountLimitReached","message":"Cannot create more than 10 load balancers for this subscription in this region."}}',
            near_miss="12 of 1000 load balancers are in use",
            unless=r"(?i:public ?IP ?(?:Count|addresses))",
        ),
    ),
    why="Each subscription, region and resource has a number of network objects that it may hold. Many can be raised by a request; those of one load balancer, route table or network cannot, or only to a fixed number.",
    remedy=(
        Step(
            "See usage and limits of the region.",
            run=(
                "az",
                "network",
                "list-usages",
                "--location",
                "<region>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete what is no longer used: load balancers and addresses of former clusters, rules of former services."
        ),
        Step("Ask for a higher limit, or spread over subscriptions, regions or load balancers."),
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
        "aks.deployment_failed",
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits",
    ),
    ask="az network list-usages --location <region> -o table",
)
