from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk is still attached to another node (Multi-Attach error, ReadWriteOnce)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"Multi-Attach error for volume \"?(?P<volume>[^\" ]{1,200})\"?|disk .{0,300}? (?:is )?already attached to (?:the )?node|is currently attached to VM",
            says="volume {volume} is still attached to another node",
            sample='Warning  FailedAttachVolume  3m  attachdetach-controller  Multi-Attach error for volume "pvc-0d7740b9" Volume is already used by pod(s) db-0',
            near_miss='Normal  SuccessfulAttachVolume  3m  attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-0d7740b9"',
        ),
    ),
    why="A disk with access mode ReadWriteOnce hangs on one node at a time; the old pod still runs there (a rolling update, several replicas of one claim) or its node was lost and the disk was not detached yet.",
    remedy=(
        Step(
            "Find the pod that still uses the volume, and its node.",
            run=("kubectl", "get", "pods", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See what is attached where.",
            run=("kubectl", "get", "volumeattachments"),
            risk=Risk.READ,
        ),
        Step(
            "End the old pod (strategy Recreate, or a StatefulSet, for single-writer volumes); after a lost node the disk is detached after about six minutes.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get volumeattachments",
)
