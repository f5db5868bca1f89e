from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service asks for an IP family that the cluster or its load balancer does not have (IPv6, dual stack)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"spec\.ipFamil(?:ies|yPolicy)(?:\[\d+\])?: Invalid value: .{1,80}?: (?:not config|this cluster is not configured for dual-stack services|may only hold up to)|not configured for dual-stack|cluster (?:is not|does not support) (?:dual-?stack|IPv6)|\bAt[lL]eastOneIpV4RequiredForIpV6\w*|At least one IPv4 frontend ipConfiguration is required for an IPv6|load ?balancers? (?:does not|do not|doesn't) support IPv6",
            says="the cluster does not have the IP family that was asked for",
            sample='The Service "web" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
            near_miss="spec.ipFamilies: IPv4",
        ),
    ),
    why="Address families are chosen when the cluster is made. A service, load balancer or pod that wants IPv6, or both families, is refused on a cluster of one family. A load balancer of Azure takes an IPv6 frontend only beside an IPv4 one, and one of Basic SKU takes none inside a network.",
    remedy=(
        Step(
            "Set ipFamilyPolicy to SingleStack or PreferDualStack, and take the other family out of ipFamilies."
        ),
        Step(
            "See which families the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.ipFamilies",
            ),
            risk=Risk.READ,
        ),
        Step("Make a dual-stack cluster if both are needed."),
    ),
    leads_to=("kubernetes.object_invalid", "kubernetes.load_balancer_fails"),
    docs=("https://learn.microsoft.com/azure/aks/configure-dual-stack",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile.ipFamilies",
)
