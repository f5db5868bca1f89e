from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AKS guard throttles clients because the API server kept running out of memory",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"aks-managed-apiserver-(?:guard|throttling-enabled)",
            says="AKS throttles the clients of the API server",
            sample="Warning aks-managed-apiserver-throttling-enabled kube-system the API server guard was enabled",
            near_miss="flowschema system-leader-election is in place",
        ),
    ),
    why="When an API server is killed for want of memory again and again, AKS installs the flow schema `aks-managed-apiserver-guard`, which throttles requests of all clients that are not of the system (429). A client that lists large collections again and again is behind it.",
    remedy=(
        Step(
            "See when the guard was set.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "kube-system",
                "aks-managed-apiserver-throttling-enabled",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Find the client with the expensive LIST calls (audit log, or by user agent in the API server metrics), and make it watch or page instead."
        ),
        Step(
            "Then remove the guard.",
            run=(
                "kubectl",
                "delete",
                "flowschema",
                "aks-managed-apiserver-guard",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get flowschemas wants no aks-managed-apiserver-guard",
        ),
        Step(
            "And its priority level.",
            run=(
                "kubectl",
                "delete",
                "prioritylevelconfiguration",
                "aks-managed-apiserver-guard",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-apiserver-etcd",
    ),
    leads_to=(
        "kubernetes.api_overloaded",
        "network.api_timeout",
    ),
    ask="kubectl get flowschemas",
    spreads=True,
)
