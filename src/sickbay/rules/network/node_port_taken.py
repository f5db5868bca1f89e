from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service asks for a node port that is taken or lies outside the allowed range",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?:nodePort|healthCheckNodePort): Invalid value: (?P<port>\d+): provided por(?:t is (?:already allocated|not in the valid range)|t?$)|failed to allocate (?:a )?(?:requested )?(?:nodePort|HealthCheckNodePort).{0,80}?(?:range is full|already allocated|not in the valid range)",
            says="the node port cannot be given",
            sample='The Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
            near_miss="spec.ports[0].nodePort: 30080",
        ),
    ),
    why="Node ports are unique in the cluster and lie in 30000 to 32767 in AKS. Another service holds the port, the manifest names one outside the range, or none is left.",
    remedy=(
        Step("Remove nodePort from the manifest, or choose a free port of the range."),
        Step(
            "See which service holds the port.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("kubernetes.object_invalid",),
    docs=("https://kubernetes.io/docs/concepts/services-networking/service/",),
    ask="kubectl get services -A",
)
