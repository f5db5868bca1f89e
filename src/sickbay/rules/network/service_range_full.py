from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service range of the cluster has no free address left (range is full)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"failed to allocate (?:a )?serviceIP: range is full|failed to allocate (?:a )?service ?IP.{0,120}?(?:range is full|no (?:free|more) (?:IP|address))",
            says="no address is free in the service range",
            sample="Internal error occurred: failed to allocate a serviceIP: range is full",
            near_miss="allocated a serviceIP: range has 12 free",
        ),
    ),
    why="Each service takes an address of the service CIDR, which was chosen when the cluster was made and cannot be enlarged in AKS. All are taken.",
    remedy=(
        Step(
            "Count the services.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "--no-headers",
            ),
            risk=Risk.READ,
        ),
        Step("Delete services that nobody needs, or make them headless."),
        Step("Plan a new cluster with a larger service CIDR."),
    ),
    leads_to=(
        "kubernetes.object_invalid",
        "kubernetes.condition_timeout",
    ),
    docs=("https://kubernetes.io/docs/concepts/services-networking/service/",),
    ask="kubectl get services -A",
)
