from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An admission webhook or policy (Gatekeeper, Azure Policy) denies an object",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i:admission webhook) [\"'](?P<webhook>[\w./-]*(?:gatekeeper|kyverno|policy|policies|opa\b|aks-node-validating|aks-webhook)[\w./-]*)[\"'] denied the request|ValidatingAdmissionPolicy '(?P<policy>[\w./-]+)' .{0,200}?denied request|azurepolicy-[\w-]{3,80}\]",
            says="an admission policy refused the request ({webhook})",
            sample='Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-k8sazurev1ingresshttpsonly-1] Ingress must be https: web',
            near_miss='failed calling webhook "validation.gatekeeper.sh": connection refused',
        ),
    ),
    why="A policy that runs as an admission webhook (Gatekeeper for Azure Policy, Kyverno, an operator) forbids the object as written; its message names the constraint, such as a privileged container or a disallowed capability.",
    remedy=(
        Step(
            "See the policies that are enforced.",
            run=("kubectl", "get", "constraints"),
            risk=Risk.READ,
        ),
        Step(
            "Change the object so that the policy allows it, or have its namespace or image excluded from the policy assignment.",
            verify="the object is created",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-azure-policy",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/retain-privileged-mode-add-capabilities",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get constraints",
    spreads=False,
)
