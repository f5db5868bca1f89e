from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod was evicted because its node ran short of memory, disk or another resource",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"The node was low on resource: (?P<resource>[\w-]+)|The node had condition: \[(?P<condition>\w+)\]",
            says="a pod was evicted from its node",
            sample="Evicted: The node was low on resource: ephemeral-storage. Threshold quantity: 13378573513, available: 11Gi.",
            near_miss="Evicted: Stopping container app for node drain",
            weight=TYPICAL,
        ),
        Signature(
            # Days later only its row is left.
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ Evicted \d+ (?:\([^)]{1,20}\) )?\d+[smh]",
            says="pod {pod} was evicted",
            sample="NAME READY STATUS RESTARTS AGE\nweb-5c9-2kz7q   0/1   Evicted   0   3h",
            near_miss="NAME READY STATUS RESTARTS AGE\nweb-5c9-2kz7q   0/1   Completed   0   3h",
            weight=TYPICAL,
        ),
    ),
    why="When a node passes an eviction threshold for memory, disk or process ids, the kubelet ends pods, first those that use more than they requested; a pod over its own ephemeral-storage limit is evicted too.",
    remedy=(
        Step(
            "See the state of the node.",
            run=("kubectl", "describe", "node", "{node}"),
            risk=Risk.READ,
        ),
        Step(
            "Set requests near the real use, and limits for ephemeral storage.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Delete what evicted pods left behind.",
            run=(
                "kubectl",
                "delete",
                "pods",
                "-n",
                "{namespace}",
                "--field-selector",
                "status.phase=Failed",
            ),
            verify="kubectl get pods -n {namespace} lists no Evicted",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",),
    ask="kubectl describe node {node}",
    leads_to=("kubernetes.job_failed",),
)
