from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A webhook denies evictions and lets an operator move the pods (drain cleaner), so a drain waits",
    severity=Severity.WARNING,
    categories=(Category.NODES, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Denying request for eviction of Pod (?P<pod>[a-z0-9.-]{1,253}) in namespace (?P<namespace>[a-z0-9-]{1,63})|The pod will be rolled by the Strimzi Cluster Operator",
            says="the eviction of {pod} is denied",
            sample="2024-12-19 00:29:32,643 INFO  [io.str.ValidatingWebhook] (executor-thread-15) Denying request for eviction of Pod prod-kafka-1 in namespace kafka",
            near_miss="2024-12-19 00:29:32,613 INFO  [io.str.ValidatingWebhook] (executor-thread-15) Received eviction webhook for Pod prod-kafka-1 in namespace kafka",
            weight=TYPICAL,
        ),
    ),
    why="Strimzi Drain Cleaner refuses each eviction of a broker by design: it marks the pod, and the cluster operator moves it when all partitions have their replicas. Who drains sees denied evictions until then. If the operator is down, paused, or cannot roll the pod (replicas out of sync, no room on other nodes), that never comes, and an AKS upgrade ends when its drain timeout is over.",
    remedy=(
        Step(
            "See whether the operator rolls the pod, and what keeps it.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "{namespace}",
                "deploy/strimzi-cluster-operator",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether reconciliation is paused or the cluster is not ready.",
            run=("kubectl", "get", "kafka", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Give the upgrade more time for each node than the operator needs to roll one.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--drain-timeout",
                "60",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pod {pod} -n {namespace} -o wide names another node",
        ),
    ),
    docs=(
        "https://strimzi.io/docs/operators/latest/deploying",
        "https://learn.microsoft.com/azure/aks/upgrade-aks-cluster",
    ),
    leads_to=("aks.drain_failed",),
    ask="kubectl logs -n {namespace} deploy/strimzi-cluster-operator --tail=200",
)
