from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The pool cannot be scaled by hand: the cluster autoscaler decides its size",
    severity=Severity.WARNING,
    categories=(Category.SCALING,),
    detect=(
        Signature(
            pattern=r"(?i)Cannot scale cluster autoscaler enabled node ?pool|Cluster autoscaler is already (?:enabled|disabled) for this node ?pool|Cannot set node ?count .{0,40}?when (?:auto.?scal\w+|cluster autoscaler) is enabled|cannot change `?(?:node_)?count`? when `?(?:enable_auto_scaling|auto_scaling_enabled)`? is (?:set to )?`?true",
            says="the autoscaler is in charge of the size of the pool",
            sample="Cannot scale cluster autoscaler enabled node pool.",
            near_miss="Scaled the node pool to 5 nodes",
        ),
    ),
    why="While the cluster autoscaler is enabled on a pool, AKS takes no number of nodes for it: only its minimum and maximum can be set.",
    remedy=(
        Step(
            "Move the limits of the autoscaler.",
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
                "--update-cluster-autoscaler",
                "--min-count",
                "<min>",
                "--max-count",
                "<max>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Or switch the autoscaler off for the pool (--disable-cluster-autoscaler), and scale by hand."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cannot-scale-cluster-autoscaler-enabled-node-pool",
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
    ),
)
