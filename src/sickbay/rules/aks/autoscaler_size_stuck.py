from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster autoscaler is stuck on a wrong size of a node group",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        Signature(
            pattern=r"(?i)failed to fix node group sizes: failed to (?:decrease|increase) (?P<group>[\w-]+)",
            says="the autoscaler cannot fix the size of {group}",
            sample="E1114 09:58:55.367731 1 static_autoscaler.go:239] Failed to fix node group sizes: failed to decrease aks-default-35246781-vmss: attempt to delete existing nodes",
            near_miss="static_autoscaler.go:239] Fixed node group sizes: decreased aks-default-35246781-vmss",
        ),
    ),
    why="The autoscaler's idea of the node group size and the real one went apart in a race, and it can neither delete existing nodes nor go on. It scales nothing until it is started anew.",
    remedy=(
        Step(
            "Switch the autoscaler of the pool off.",
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
                "{pool}",
                "--disable-cluster-autoscaler",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "And on again.",
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
                "{pool}",
                "--enable-cluster-autoscaler",
                "--min-count",
                "<min>",
                "--max-count",
                "<max>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get configmap -n kube-system cluster-autoscaler-status -o yaml wants Healthy",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/cluster-autoscaler-fails-to-scale",
    ),
    ask="kubectl get configmap -n kube-system cluster-autoscaler-status -o yaml",
)
