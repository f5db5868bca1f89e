from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The public IP prefix has no free address left for a node, gateway or load balancer",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bInsufficientPublicIPPrefix\w*|\bPublicIPPrefix(?:OutOf|Has|NoAvail|Exhausted|Insufficient|Count|Not ?Enough)\w*|public ip prefix \S{1,300}.{0,80}?(?:has no (?:more )?(?:available|free)|does not have (?:enough|sufficient)|is (?:full|exhausted))|no available (?:ip )?address(?:es)? in (?:the )?public ip prefix",
            says="the prefix has no free address",
            sample="PublicIPPrefixOutOfIpAddressesForVMScaleSet: The public IP prefix /subscriptions/0/publicIPPrefixes/p used by VM scale set aks-np has no more available IP addresses.",
            near_miss="Public IP prefix p has 12 free addresses",
        ),
    ),
    why="A node pool with `nodePublicIPPrefixID`, a static egress gateway, an outbound rule or a NAT gateway takes its public addresses from a prefix of a fixed size (/28 holds 16). When all are given out, no further node or frontend can be made, and a prefix cannot be enlarged.",
    remedy=(
        Step(
            "See which addresses of the prefix are in use.",
            run=(
                "az",
                "network",
                "public-ip",
                "prefix",
                "show",
                "--ids",
                "<prefix-id>",
                "--query",
                "publicIPAddresses",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Release addresses that nothing uses, keep the pool within the size of the prefix, or make a larger prefix and a new pool with it.",
        ),
        Step(
            "Surge nodes of an upgrade need addresses, too: upgrade in place instead.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--max-surge",
                "0",
                "--max-unavailable",
                "1",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-address-prefix",
        "https://learn.microsoft.com/azure/aks/use-node-public-ips",
    ),
    leads_to=("aks.operation_failed", "aks.scale_up_failed", "kubernetes.load_balancer_fails"),
    ask="az network public-ip prefix show --ids <prefix-id> -o json",
)
