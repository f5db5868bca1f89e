from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Gateway API definitions of your own block the managed ones",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:managed )?gateway api .{0,200}?(?:self-managed|existing|already (?:installed|exist)|conflict).{0,160}?(?:CRD|definition|channel|bundle)|gateway\.networking\.k8s\.io/(?:bundle-version|channel).{0,120}?(?:missing|experimental|not (?:supported|compatible)|mismatch)",
            says="existing Gateway API definitions are in the way",
            sample="(BadRequest) Cannot enable managed Gateway API: existing self-managed CRDs with annotation gateway.networking.k8s.io/channel: experimental are not supported.",
            near_miss="Managed Gateway API is enabled with bundle version v1.3.0",
            weight=TYPICAL,
        ),
    ),
    why="AKS installs its own Gateway API definitions only where none are, or where those that are have the standard channel and a version that it can take over; experimental ones, and ones without the annotations bundle-version and channel, stop it.",
    remedy=(
        Step(
            "See what is installed.",
            run=(
                "kubectl",
                "get",
                "crd",
                "gateways.gateway.networking.k8s.io",
                "-o",
                "jsonpath={.metadata.annotations}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the definitions that you installed; this deletes the Gateways and routes of that kind.",
            run=(
                "kubectl",
                "delete",
                "crd",
                "gateways.gateway.networking.k8s.io",
                "httproutes.gateway.networking.k8s.io",
                "gatewayclasses.gateway.networking.k8s.io",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Enable the managed ones again.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-gateway-api",
            ),
            verify="kubectl get crd gateways.gateway.networking.k8s.io wants managed-by aks",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/managed-gateway-api",
    ),
    leads_to=("aks.operation_failed",),
    ask="kubectl get crd gateways.gateway.networking.k8s.io -o json",
)
