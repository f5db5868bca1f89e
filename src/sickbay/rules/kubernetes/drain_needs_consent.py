from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl drain stops at pods that it may only remove when told so (local storage, daemon sets, bare pods)",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"cannot delete Pods with local storage \(use|cannot delete DaemonSet-managed Pods \(use|cannot delete Pods (?:that declare no controller|not managed by ReplicationController)[^(]{0,120}?\(use",
            says="drain wants consent to remove some pods",
            sample='error: unable to drain node "aks-nodepool1-12345678-vmss000000" due to error: cannot delete Pods with local storage (use --delete-emptydir-data to override): shop/cart-1',
            near_miss="WARNING: ignoring DaemonSet-managed Pods: kube-system/kube-proxy-x2x4q",
        ),
    ),
    why="Draining would lose the data of emptyDir volumes, pods that no controller makes anew, or fight a daemon set; kubectl asks for a flag for each of these first and changes nothing.",
    remedy=(
        Step(
            "Drain with the flags, if the data may be lost.",
            run=(
                "kubectl",
                "drain",
                "<node>",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get node wants SchedulingDisabled and no pods but those of daemon sets",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/",),
    ask="kubectl get pods -A -o wide",
)
