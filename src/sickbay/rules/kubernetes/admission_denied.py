from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An admission webhook or policy (Gatekeeper, Azure Policy) denies an object",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i:admission webhook) [\"'](?P<webhook>[\w./-]*(?:gatekeeper|kyverno|policy|policies|opa\b|aks-webhook)[\w./-]*)[\"'] denied (?:the )?request\b",
            says="the admission webhook {webhook} refused the request",
            sample='Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-k8sazurev1ingresshttpsonly-1] Ingress must be https: web',
            near_miss='failed calling webhook "validation.gatekeeper.sh": connection refused',
        ),
        Signature(
            pattern=r"ValidatingAdmissionPolicy '(?P<policy>[\w./-]+)' (?:with binding '(?P<binding>[\w./-]+)' )?denied request: (?P<why>.{1,200})",
            says="the policy {policy} refused the request: {why}",
            sample="Error creating: pods \"web-1\" is forbidden: ValidatingAdmissionPolicy 'owners-are-named' with binding 'owners-are-named' denied request: every pod names its owner",
            near_miss="ValidatingAdmissionPolicy 'owners-are-named' created",
            unless=r"ValidatingAdmissionPolicy 'aks-managed-protect",
        ),
        Signature(
            pattern=r"\[(?P<constraint>azurepolicy-[\w-]{3,80})\]",
            says="the constraint {constraint} of Azure Policy refused the request",
            sample="Error creating: [azurepolicy-k8sazurev1ingresshttpsonly-1] Ingress must be https: web",
            near_miss="constraint azurepolicy is in sync",
            # enforcementAction warn: said in passing, and the object is made.
            unless=r"denied the request|Warning: \[azurepolicy-",
        ),
    ),
    why="A policy (a webhook of Gatekeeper for Azure Policy, Kyverno or an operator, or a ValidatingAdmissionPolicy of the API server itself) forbids the object as written; its message names the constraint, such as a privileged container or a disallowed capability.",
    remedy=(
        Step(
            "See the policies that are enforced.",
            run=("kubectl", "get", "constraints"),
            risk=Risk.READ,
        ),
        Step(
            "See the policies that the API server itself enforces, and what they demand.",
            run=(
                "kubectl",
                "get",
                "validatingadmissionpolicies,validatingadmissionpolicybindings",
                "-o",
                "yaml",
            ),
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
        "kubernetes.webhook_denied",
        "kubernetes.release_gave_up",
    ),
    ask="kubectl get constraints",
)
