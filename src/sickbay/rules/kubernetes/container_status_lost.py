from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet lost sight of a container (ContainerStatusUnknown): its node was restarted, or evicted it",
    severity=Severity.INFO,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"ContainerStatusUnknown|The container could not be located when the pod was (?:terminated|deleted)",
            says="the state of a container is not known any more",
            sample="web-7d9f8b6c5-x2x4q   0/1     ContainerStatusUnknown   1          3d",
            near_miss="web-7d9f8b6c5-x2x4q   0/1     ContainerCreating   0          3m",
            weight=TYPICAL,
        ),
    ),
    why="When a node restarts or evicts a pod, its containers are gone before their end was written down; the object of the failed pod stays for reading, while its workload has long made another.",
    remedy=(
        Step(
            "See why it was ended.",
            run=(
                "kubectl",
                "describe",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete what is left over.",
            run=(
                "kubectl",
                "delete",
                "pods",
                "-n",
                "{namespace}",
                "--field-selector",
                "status.phase=Failed",
            ),
            verify="kubectl get pods -n {namespace} shows it no longer",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
