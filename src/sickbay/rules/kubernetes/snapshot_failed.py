from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume snapshot is not made: a wrong class, a volume that is not of CSI, or a failing driver",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r'(?i)cannot find default snapshot class|failed to get VolumeSnapshotClass for|velero\.io/csi-volumesnapshot-class label|failed to (?:get|retrieve) snapshot class (?P<class>\S{1,100})|volumesnapshotclass(?:es)?\.snapshot\.storage\.k8s\.io "?(?P<name>[\w.-]+)"? not found|cannot find CSI PersistentVolumeSource for volume|snapshot class .{1,100}? (?:does not match|is not for) (?:the )?(?:CSI )?driver|the (?:PVC|claim) .{1,100}? is not (?:yet )?bound to a (?:PV|volume), will not attempt to take a snapshot|SnapshotContentCreationFailed|SnapshotCreationFailed|SnapshotContentMissing|Failed to (?:create|check and update) snapshot(?: content)?',
            says="a snapshot could not be made",
            sample="Warning  SnapshotContentCreationFailed  7s  snapshot-controller  Failed to create snapshot content with error cannot find CSI PersistentVolumeSource for volume pv-legacy-data",
            near_miss="Normal  SnapshotReady  7s  snapshot-controller  Snapshot shop/db-snap is ready to use.",
            unless=r"(?i)AuthorizationFailed|QuotaExceeded|throttl|not found in the resource group",
        ),
        Signature(
            pattern=r"\bUserErrorPVSnapshotLimitReached\b|\bCSISnapshottingTimedOut\b|failed to take snapshot of the volume,? (?P<volume>[\w./;:=-]{1,200})|CreateSnapshot for content \S{1,100} returned error: ",
            says="the storage driver does not make the snapshot",
            sample='E1020 00:07:57.454732       1 snapshot_controller.go:122] checkandUpdateContentStatus [snapcontent-1]: error occurred failed to take snapshot of the volume, pvc-1: "rpc error: code = DeadlineExceeded desc = context deadline exceeded"',
            near_miss="I1020 00:07:55.720000       1 snapshot_controller.go:267] createSnapshotWrapper: Creating snapshot for content snapcontent-1 through the plugin",
            weight=TYPICAL,
        ),
    ),
    why="A snapshot is made by the CSI driver of its volume, by the class that names the same driver. There is no such class and no default one, the claim is not bound, the volume is an old in-tree one that no CSI driver serves, or the driver's call to its storage fails or takes too long.",
    remedy=(
        Step(
            "See the classes and their drivers.",
            run=(
                "kubectl",
                "get",
                "volumesnapshotclasses",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the driver of the volume.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create a class for that driver, or name it in the snapshot; migrate an in-tree volume to CSI first.",
            risk=Risk.SAFE,
            verify="kubectl get volumesnapshots wants READYTOUSE true",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-disk-csi",
        "https://kubernetes.io/docs/concepts/storage/volume-snapshots/",
    ),
    ask="kubectl get volumesnapshotclasses",
)
