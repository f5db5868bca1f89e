from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The backend pool of the load balancer holds addresses and network interfaces at once",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\bCannotMixIPBased\w*|(?i:cannot mix (?:IP ?based|ip addresses).{0,80}?backend (?:address )?pool)",
            says="nodes cannot be added to the backend pool: it mixes two kinds of members",
            sample="RESPONSE 400: 400 Bad Request ERROR CODE: CannotMixIPBasedAddressesAndIPConfigurationsOnLoadBalancerBackendAddressPool",
            near_miss="The backend address pool holds IP based addresses only",
        ),
    ),
    why="A backend pool is made of IP addresses (`backendPoolType: nodeIP`) or of the network interfaces of the nodes (`nodeIPConfiguration`), never both. Whoever adds the node (AKS, Karpenter, a script) uses the other kind, and Azure refuses the machine or the load balancer.",
    remedy=(
        Step(
            "See which kind the cluster uses.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.loadBalancerProfile.backendPoolType",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set it to that of the members that are added: node auto-provisioning works with network interfaces.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-backend-pool-type",
                "nodeIPConfiguration",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodeclaims wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/load-balancer-standard",),
    leads_to=(
        "aks.node_claim_failed",
        "aks.operation_failed",
        "kubernetes.load_balancer_fails",
        "aks.request_refused",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile.loadBalancerProfile",
)
