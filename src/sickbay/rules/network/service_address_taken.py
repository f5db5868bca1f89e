from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service asks for a cluster address that is taken, or lies outside the service range",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"spec\.clusterIPs?(?:\[\d+\])?: Invalid value: .{1,80}?: failed to allocate IP (?P<address>[\da-f.:]+): (?:the )?provided IP|cluster IP (?P<ip>[\da-f.:]+) for service \S{1,200} is (?:already assigned|not within the service CIDR)|provided IP \(?[\da-f.:]*\)? ?is (?:already allocated|not in the valid range)",
            says="the cluster address of a service cannot be given",
            sample="The Service web is invalid: spec.clusterIP: Invalid value: 10.0.0.99: failed to allocate IP 10.0.0.99: provided IP is already allocated",
            near_miss="The Service web has clusterIP 10.0.0.99",
        ),
    ),
    why="spec.clusterIP names a fixed address. It must lie in the service CIDR of this cluster and be free; manifests that were exported from another cluster carry its addresses along.",
    remedy=(
        Step("Remove clusterIP and clusterIPs from the manifest, so that the cluster chooses."),
        Step(
            "See who holds the address.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("kubernetes.object_invalid",),
    docs=("https://kubernetes.io/docs/concepts/services-networking/service/",),
    ask="kubectl get services -A -o wide",
)
