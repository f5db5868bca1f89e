from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The telemetry pod of AKS on Azure Local eats CPU or memory (akshci-telemetry)",
    severity=Severity.WARNING,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"\bakshci-telemetry-[\w-]+ +(?P<cpu>[5-9]\d{2}m|\d{4,}m|[1-9]\d?) +(?P<memory>\d+[KMG]i)",
            says="the telemetry pod uses {cpu} CPU and {memory} of memory",
            sample="akshci-telemetry-5df56fd5-rjqk4   996m         152Mi",
            near_miss="akshci-telemetry-5df56fd5-rjqk4   12m         80Mi",
        ),
        Signature(
            pattern=r"\bakshci-telemetry-[\w-]+ +(?P<cpu>\d+m) +(?P<memory>(?:[5-9]\d{2}|\d{4,})Mi|\d+Gi)\b",
            says="the telemetry pod uses {memory} of memory",
            sample="akshci-telemetry-5df56fd5-rjqk4   44m         1210Mi",
            near_miss="akshci-telemetry-5df56fd5-rjqk4   44m         121Mi",
            weight=TYPICAL,
        ),
    ),
    why="Up to release 2506 the pod akshci-telemetry in kube-system leaks: it takes a whole core, or more and more memory, on every cluster, and the workload beside it suffers.",
    remedy=(
        Step(
            "See what it uses.",
            run=("kubectl", "-n", "kube-system", "top", "pod", "-l", "app=akshci-telemetry"),
            risk=Risk.READ,
        ),
        Step(
            "Update Azure Local to 2507 or later. Until then, set a LimitRange in kube-system, and delete the pod so that it starts under the limit.",
            run=("kubectl", "-n", "kube-system", "delete", "pod", "-l", "app=akshci-telemetry"),
            risk=Risk.SAFE,
            verify="kubectl -n kube-system top pod -l app=akshci-telemetry wants less than 200m",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/telemetry-pod-resources",),
    ask="kubectl -n kube-system top pod -l app=akshci-telemetry",
)
