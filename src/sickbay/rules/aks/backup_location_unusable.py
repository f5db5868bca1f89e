from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage location of AKS backup cannot be used: it is gone, was named wrongly, or is read-only",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"\bUserError(?:Delete)?Backup(?:Failed)?BackupStorageLocation(?P<state>ReadOnly|NotFound)\b|\bUserErrorNoDefaultBackupStorageLocationFound\b|backup (?:storage )?location .{0,60}?(?:is currently in read-only|read-?only mode)",
            says="the storage account or container of the backup is not usable[: {state}]",
            sample="UserErrorNoDefaultBackupStorageLocationFound: No default backup storage location was found.",
            near_miss="Backup storage location default is available",
        ),
    ),
    why="The extension azure-aks-backup keeps its backups in the storage account and container that it was given when it was installed. The container or account was deleted or named wrongly then, or the location was set to read-only; so nothing can be written or deleted there.",
    remedy=(
        Step(
            "See what the extension was given.",
            run=(
                "az",
                "k8s-extension",
                "show",
                "--name",
                "azure-aks-backup",
                "--cluster-type",
                "managedClusters",
                "--cluster-name",
                "{cluster}",
                "-g",
                "{resource_group}",
                "--query",
                "configurationSettings",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the state and access mode of the location.",
            run=("kubectl", "get", "backupstoragelocations", "-n", "dataprotection-microsoft"),
            risk=Risk.READ,
        ),
        Step(
            "Make the container again or lift the read-only mode; if another account is meant, reinstall the extension with it.",
            verify="kubectl get backupstoragelocations -n dataprotection-microsoft wants PHASE Available",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",),
    leads_to=("kubernetes.backup_failed",),
    ask="kubectl get backupstoragelocations -A -o yaml",
)
