from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Load balancer and nodes are in different virtual networks, so they cannot be joined",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\b\w*(?:LoadBalancer|BackendAddressPool|NetworkInterface)\w*MustUseSameV\w+|\bNetworkInterfaceAndLoadBalancer\w*Different\w*|\b\w*(?:BackendAddressPool|LoadBalancer)\w*DifferentV(?:net|irtualNetwork)\w*|\bNetworkInterfacesInAvailabilitySetAreInDifferentVnets\b|\bVnetMismatch\w*",
            says="load balancer and nodes are in different networks",
            sample='Status=400 Code="NetworkInterfaceAndInternalLoadBalancerMustUseSameVnet" Message="Network interface nic-0 uses internal load balancer kubernetes-internal"',
            near_miss="Network interface nic-0 was joined to load balancer kubernetes-internal",
        ),
    ),
    why="An internal load balancer and the network interfaces of its pool must lie in one virtual network. The cloud provider was given another network or subnet than that of the nodes, or the load balancer was made by hand elsewhere.",
    remedy=(
        Step(
            "See the network of the nodes.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "agentPoolProfiles[].vnetSubnetId",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name a subnet of that network in azure-load-balancer-internal-subnet, and delete the misplaced load balancer.",
            verify="the service gets an address",
        ),
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    docs=("https://learn.microsoft.com/azure/aks/internal-lb",),
    ask="az aks show -g {resource_group} -n {cluster} --query agentPoolProfiles[].vnetSubnetId",
)
