from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A policy demands CPU and memory limits, and a container has none or too high ones",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)container <?[\"']?(?P<container>[\w.-]+)[\"']?>? (?:has no (?:resource|cpu|memory) limits?|(?:cpu|memory) limit .{0,60}?(?:is higher than|exceeds)|does not have .{0,20}?limits)|azurecontainerlimits|ensure-?cpu-?memory-?limits|containers? .{0,60}?must (?:have|specify) .{0,20}?(?:cpu|memory|resource) limits",
            says="a container states no limits, or too high ones",
            sample='admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-k8sazurev3containerlimits-1f5e] container <app> has no resource limits',
            near_miss="container <app> has resource limits",
        ),
    ),
    why="The Azure Policy for container limits (constraint K8sAzureContainerLimits, in Gatekeeper) refuses pods whose containers state no limit, or more than the assignment allows.",
    remedy=(
        Step(
            "See the constraint and its bounds.",
            run=(
                "kubectl",
                "get",
                "constraints",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set limits in every container of the workload.",
            run=(
                "kubectl",
                "set",
                "resources",
                "<workload>",
                "-n",
                "{namespace}",
                "--limits=cpu=500m,memory=512Mi",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl rollout status <workload> -n {namespace} ends well",
        ),
        Step("Or exclude the namespace in the assignment."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/enforce-container-cpu-memory-limits",
    ),
    leads_to=(
        "kubernetes.admission_denied",
        "kubernetes.webhook_denied",
    ),
    ask="kubectl get constraints",
)
