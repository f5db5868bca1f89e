from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster autoscaler keeps a node: a pod on it may not be moved, so there is no scale-down",
    severity=Severity.INFO,
    categories=(
        Category.SCALING,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?:node )?(?P<node>[\w.-]{3,80}) cannot be removed: (?P<reason>(?:non-daemonset|pod with local storage|pod annotated as not safe|not replicated|pod is not replicated|\S{1,200} is not replicated).{0,160})|(?:node )?(?P<kept>[\w.-]{3,80}) is not suitable for removal: (?P<unplaced>failed to find place for .{0,160}|can reschedule only \d+ out of \d+ pods)|from delete consideration - the node is marked as no scale down",
            says="the node[ {node}][ {kept}] stays[: {reason}][: {unplaced}]",
            sample="Fast evaluation: node aks-np1-31415926-vmss000002 cannot be removed: non-daemonset, non-mirrored, non-pdb-assigned kube-system pod present: metrics-server-5f8d-gq4hz",
            near_miss="Fast evaluation: node aks-np1-31415926-vmss000002 may be removed",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"failed to drain the node, aborting ScaleDown|Failed to scale down: .{0,80}?(?:failed to drain|pods? remaining)|Failed to evict pod \S{1,200}, error",
            says="a node that was to go could not be drained",
            sample="Warning  ScaleDownFailed  11m (x370 over 3d3h)  cluster-autoscaler  failed to drain the node, aborting ScaleDown",
            near_miss="Normal  ScaleDown  11m  cluster-autoscaler  node removed by cluster autoscaler",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The autoscaler removes a node only if every pod on it can be placed elsewhere. A pod of kube-system without a disruption budget, one with local storage (emptyDir, hostPath), one without a controller, or one with `cluster-autoscaler.kubernetes.io/safe-to-evict: false` keeps the node, however little is used of it, and the node is paid for on.",
    remedy=(
        Step(
            "See which pods are on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the autoscaler move such pods: lift its caution for the whole cluster, or give the pod a disruption budget or the annotation `cluster-autoscaler.kubernetes.io/safe-to-evict: true`.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--cluster-autoscaler-profile",
                "skip-nodes-with-local-storage=false",
                "skip-nodes-with-system-pods=false",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the log of the autoscaler says that the node was removed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cluster-autoscaler-fails-to-scale",
    ),
    ask="kubectl get configmap -n kube-system cluster-autoscaler-status -o yaml",
)
