from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Velero backup or restore failed or is incomplete (PartiallyFailed, backup storage location unavailable)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"BackupStorageLocation .{0,80}? is (?:unavailable|invalid)|backup storage location .{0,60}?(?:unavailable|not found|invalid)|there is no existing BackupStorageLocation|BackupStorageLocations available/unavailable/unknown: 0/|Failed to get Volumesnapshot \S{1,200} to restore|CSI modules are not ready for restore|Error getting volume snapshotter|error taking snapshot of volume|pod volume backup failed|data path (?:backup|restore) failed|Timed out awaiting reconciliation of volumesnapshot|timed out waiting for all PodVolume(?:Backup|Restore)s to complete|unable to get valid (?:AccessToken|storage account)|error getting existing backup|failed to read credentials from file|\bUserError(?:HookExecutionFailed|PVC(?:HasNoVolume|NotBoundToVolume)|PVNotFound|StorageClassMissingForPVC|SourceandTargetClusterCRDVersionMismatch)\b|\bKubernetesBackupGeneric(?:Warning|Error)\b|error running restic|error restoring volume|error fetching volume snapshots? metadata|error to initialize data path|daemonset pod not found in running state|found a backup with status \"?InProgress|found a podvolume(?:backup|restore) with status \"?InProgress|plugin .{0,80}? not found in .{0,40}?velero|error running command=restic|running Restic backup, stderr",
            says="Velero could not finish a backup or restore",
            sample='time="2024-05-10T09:40:02Z" level=error msg="Current BackupStorageLocations available/unavailable/unknown: 0/1/0, BackupStorageLocation \\"default\\" is unavailable: rpc error: code = Unknown desc = the teapot is cold"',
            near_miss='level=info msg="BackupStorageLocations is valid, marking as available" backup-storage-location=velero/default',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"\b(?P<backup>[a-z0-9][a-z0-9.-]+) (?:Partially)?Failed \d+ \d+ \d{4}-\d\d-\d\d|Phase: (?:PartiallyFailed|FailedValidation)|\bPartiallyFailed\b",
            says="a backup or restore of Velero failed in part",
            sample="NAME STATUS ERRORS WARNINGS CREATED\ndaily-20231222050004   PartiallyFailed   7   0   2023-12-22 10:30:04 +0530 IST",
            near_miss="NAME STATUS ERRORS WARNINGS CREATED\ndaily-20231222050004   Completed   0   0   2023-12-22 10:30:04 +0530 IST",
            weight=TYPICAL,
        ),
    ),
    why="Velero (and AKS backup, which uses it) writes objects to a storage location and snapshots or copies volumes by its plugins and node agents. The backup storage location is unavailable for the identity or network, a snapshot or its class is missing, a plugin is not installed, or the node agent did not copy a volume in time; the log of the backup names which.",
    remedy=(
        Step(
            "See the storage locations and what failed.",
            run=(
                "kubectl",
                "get",
                "backupstoragelocations,backups,podvolumebackups",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the log of Velero and its node agents.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "velero",
                "deploy/velero",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the identity, network, snapshot class or plugin that it names, and run the backup again.",
            risk=Risk.SAFE,
            verify="kubectl get backups -A shows phase Completed",
        ),
    ),
    docs=(
        "https://velero.io/docs/main/troubleshooting/",
        "https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",
    ),
    ask="kubectl logs -n velero deploy/velero --tail=200",
)
