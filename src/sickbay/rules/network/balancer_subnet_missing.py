from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet that an internal load balancer asks for does not exist in the network of the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"failed to get subnet: ?(?P<network>[\w.-]+)/(?P<subnet>[\w.-]+)|(?:load balancer|loadBalancers?).{0,400}?subnet \"?(?P<name>[\w.-]+)\"? (?:was |is )?not found",
            says="the subnet for an internal load balancer was not found",
            sample="Error syncing load balancer: failed to ensure load balancer: failed to get subnet: vnet/snet-ilb",
            near_miss="Error syncing load balancer: failed to ensure load balancer: EOF",
        ),
    ),
    why="The annotation azure-load-balancer-internal-subnet names a subnet that the virtual network of the cluster does not hold: a typing error, a subnet of another network, or one that was deleted.",
    remedy=(
        Step(
            "See which subnet the service asks for.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "List the subnets of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "list",
                "-g",
                "<group>",
                "--vnet-name",
                "<network>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step("Correct the annotation, or create the subnet.", verify="the service gets an address"),
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    docs=("https://learn.microsoft.com/azure/aks/internal-lb",),
    ask="az network vnet subnet list -g <group> --vnet-name <network> -o table",
)
