from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A policy forbids privileged containers or added Linux capabilities",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Privileged containers are not allowed|SecurityContext\.\w+ is forbidden|Privileged container is not allowed: ?<?(?P<container>[\w.-]+)?|uses? a disallowed capability|(?:host ?(?:PID|IPC|network|path)|privilege escalation).{0,80}?(?:not allowed|disallowed|is forbidden).{0,60}?",
            says="a container asks for more rights than the policy allows",
            sample='Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-k8sazurev2noprivilege-1f5e] Privileged container is not allowed: app',
            near_miss="container app runs without privileges",
            unless=r"violates PodSecurity|security context constraint",
        ),
    ),
    why="Azure Policy (Gatekeeper) or another admission policy refuses pods with privileged: true, added capabilities, or parts of the host; the built-in policies cannot exclude single containers, only namespaces and images.",
    remedy=(
        Step(
            "See which constraint refuses.",
            run=(
                "kubectl",
                "get",
                "constraints",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Drop the privilege from the workload, or allow the capability in the parameters of the assignment.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -n {namespace} shows no further FailedCreate",
        ),
        Step(
            "If the workload needs it, exclude its namespace or make an exemption.",
            run=(
                "az",
                "policy",
                "exemption",
                "create",
                "-n",
                "<name>",
                "--policy-assignment",
                "<assignment-id>",
                "--exemption-category",
                "Waiver",
                "--scope",
                "<cluster-id>",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/retain-privileged-mode-add-capabilities",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/privileged-container-exclusion-not-working",
    ),
    leads_to=(
        "kubernetes.admission_denied",
        "kubernetes.webhook_denied",
    ),
    ask="kubectl get constraints",
)
