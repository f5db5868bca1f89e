from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Application Gateway for Containers cannot use its subnet (ALB association: size, delegation or network)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bAppGwForContainers(?P<code>Subnet\w+|Association\w+)\b|extensionIPRange prefix length too (?:short|long)|overlay extension config \S{3,160} failed with error (?P<reason>.{3,160})|Microsoft\.ServiceNetworking/trafficControllers.{0,300}?(?:subnet|Subnet).{0,160}?(?:not delegated|delegation|is not (?:large|valid)|NotEnough)",
            says="the subnet of the association is not fit",
            sample="AppGwForContainersSubnetAssociationNotEnoughIPv4AddressesInSubnet: There are not enough IPv4 addresses in subnet snet-alb. At least 500 addresses are required.",
            near_miss="Association as-1 of traffic controller alb-1 was created",
        ),
    ),
    why="The controller of Application Gateway for Containers (ALB) joins the gateway to a subnet of its own, delegated to Microsoft.ServiceNetworking/trafficControllers, in the network of the cluster: with a free /24 (overlay wants exactly a /24 range), used by nothing else. A subnet that is too small, too wide for the overlay, or not delegated is refused, and the Gateway is never programmed.",
    remedy=(
        Step(
            "See the subnet, its prefix and its delegation.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "{prefix:addressPrefix,delegations:delegations[].serviceName,used:ipConfigurations}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the association a subnet of /24 that is delegated and empty.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "create",
                "-g",
                "<group>",
                "--vnet-name",
                "<vnet>",
                "-n",
                "subnet-alb",
                "--address-prefixes",
                "<a.b.c.0/24>",
                "--delegations",
                "Microsoft.ServiceNetworking/trafficControllers",
            ),
            risk=Risk.SAFE,
            verify="kubectl get applicationloadbalancer -A -o yaml shows Deployment True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/for-containers/overview",
        "https://learn.microsoft.com/azure/application-gateway/for-containers/container-networking",
    ),
    leads_to=("network.gateway_unclaimed",),
    ask="kubectl get applicationloadbalancers.alb.networking.azure.io -A -o yaml",
)
