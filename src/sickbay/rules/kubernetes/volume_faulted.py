from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A replicated volume (Longhorn, Ceph) has no healthy copy of its data, so it cannot be attached",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"volume (?P<volume>[\w.-]{1,253}) is not ready for workloads|\b(?P<listed>[a-z0-9][\w.-]{2,252}) v\d (?:detached|attached|detaching) faulted\b|[Nn]ot ready for workload\. Volume Faulted|reason: 'Faulted' Detected replica|Reduced data availability: \d+ pgs? inactive|\d+ slow ops, oldest one blocked for",
            says="the storage of a volume has no healthy copy",
            sample='AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Aborted desc = volume pvc-1 is not ready for workloads',
            near_miss='AttachVolume.Attach succeeded for volume "pvc-1"',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A storage system that runs in the cluster keeps copies of each volume on several nodes. When the nodes or disks of all copies are down, full or not connected to each other, the volume is faulted and is not handed out.",
    remedy=(
        Step(
            "See the state of the volumes.",
            run=(
                "kubectl",
                "get",
                "volumes.longhorn.io",
                "-n",
                "longhorn-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the nodes and disks that hold its copies are ready and have room.",
            run=(
                "kubectl",
                "get",
                "nodes.longhorn.io",
                "-n",
                "longhorn-system",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring those nodes or disks back; salvage one copy, or restore from a backup, if they are gone.",
            risk=Risk.DISRUPTIVE,
            verify="the volume is attached and healthy",
        ),
    ),
    docs=("https://longhorn.io/docs/latest/high-availability/data-recovery/",),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get volumes.longhorn.io -n longhorn-system",
)
