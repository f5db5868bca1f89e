from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request does not fit the kind of fleet: hubless, or a hub without private access (InvalidHubOperation)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bInvalidHubOperation\b|\bAgentSubnetUnsupported\b|\bAPIServerSubnetUnsupported\b",
            says="Fleet Manager refuses the operation for this fleet",
            sample="(InvalidHubOperation) The operation needs a hub cluster, and fleet shop has none.",
            near_miss="az fleet show: hubProfile: dnsPrefix: shop",
        ),
    ),
    why="A fleet without a hub only runs updates; placements, managed namespaces and DNS balancing need one. A hub takes a subnet for its agents only if it is private, and one for its API server only with VNet integration. A fleet gains a hub later, but its access mode is set when the hub is made.",
    remedy=(
        Step(
            "See whether the fleet has a hub, and of which kind.",
            run=(
                "az",
                "fleet",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<fleet>",
                "--query",
                "hubProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give a hubless fleet its hub; for subnets add --enable-private-cluster and --enable-vnet-integration.",
            run=(
                "az",
                "fleet",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "<fleet>",
                "--enable-hub",
            ),
            verify="az fleet show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/kubernetes-fleet/concepts-choosing-fleet",),
    leads_to=("aks.request_refused",),
    ask="az fleet show -g {resource_group} -n <fleet>",
)
