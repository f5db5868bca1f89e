from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod sets a kernel parameter (sysctl) that its node does not allow",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r'forbidden sysctl: "(?P<sysctl>[\w./-]+)" (?P<reason>not allowlisted|not allowed[\w ]*)',
            says="the kubelet refuses the pod: sysctl {sysctl} is {reason}",
            sample='Pod was rejected: forbidden sysctl: "net.core.somaxconn" not allowlisted',
            near_miss='sysctl: setting key "net.core.somaxconn": Permission denied',
        ),
        Signature(
            pattern=r"\bSysctlForbidden\b",
            says="the kubelet refuses the pod for a sysctl",
            sample="cart-7d9f8b6c5-x2x4q   0/1     SysctlForbidden   0          3s",
            near_miss="cart-7d9f8b6c5-x2x4q   0/1     Pending   0          3s",
        ),
    ),
    why="Only a few kernel parameters are safe for one pod; the others must be allowed on the node (allowedUnsafeSysctls of the kubelet). The kubelet rejects the pod for good, and its controller makes one failed pod after the other.",
    remedy=(
        Step(
            "See which parameters the pod sets.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.securityContext.sysctls}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave the parameter out, or run the pod in a node pool whose kubelet configuration allows it (az aks nodepool add with --kubelet-config, allowedUnsafeSysctls).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
    ),
    leads_to=("kubernetes.rollout_stuck", "kubernetes.job_failed"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
