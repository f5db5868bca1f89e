from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume snapshot is not made: its class is missing or of another driver, or its volume is not of CSI",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r'(?i)cannot find default snapshot class|failed to (?:get|retrieve) snapshot class (?P<class>\S{1,100})|volumesnapshotclass(?:es)?\.snapshot\.storage\.k8s\.io "?(?P<name>[\w.-]+)"? not found|cannot find CSI PersistentVolumeSource for volume|snapshot class .{1,100}? (?:does not match|is not for) (?:the )?(?:CSI )?driver|the (?:PVC|claim) .{1,100}? is not (?:yet )?bound to a (?:PV|volume), will not attempt to take a snapshot|SnapshotContentCreationFailed|SnapshotCreationFailed|SnapshotContentMissing|Failed to (?:create|check and update) snapshot(?: content)?',
            says="a snapshot could not be made",
            sample="Warning  SnapshotContentCreationFailed  7s  snapshot-controller  Failed to create snapshot content with error cannot find CSI PersistentVolumeSource for volume pv-legacy-data",
            near_miss="Normal  SnapshotReady  7s  snapshot-controller  Snapshot shop/db-snap is ready to use.",
            unless=r"(?i)AuthorizationFailed|QuotaExceeded|throttl|not found in the resource group",
        ),
    ),
    why="A snapshot is made by the CSI driver of its volume, by the class that names the same driver. There is no such class and no default one, the claim is not bound, or the volume is an old in-tree one that no CSI driver serves.",
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
