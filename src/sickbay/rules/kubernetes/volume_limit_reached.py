from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes hold as many data disks as their VM size allows (max volume count)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"node\(s\) exceed(?:ed)? max volume count|maximum number of data disks allowed to be attached to a VM(?: of this size)? is (?P<most>\d+)",
            says="no node can take another disk",
            sample="0/3 nodes are available: 3 node(s) exceed max volume count. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
            near_miss="0/3 nodes are available: 3 node(s) had volume node affinity conflict.",
        ),
    ),
    why="A VM size takes a fixed number of data disks; all eligible nodes have reached it, so a pod with one more disk cannot be placed or its disk not attached.",
    remedy=(
        Step(
            "See how many volumes hang on each node.",
            run=(
                "kubectl",
                "get",
                "volumeattachments",
                "-o",
                "custom-columns=NODE:.spec.nodeName,PV:.spec.source.persistentVolumeName",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add nodes, or a pool of a size that takes more disks.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.mount_failed"),
    ask="kubectl get volumeattachments",
)
