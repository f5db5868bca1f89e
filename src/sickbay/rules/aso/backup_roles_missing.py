from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS backup lacks roles on the snapshot resource group",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"\bUserErrorMissingMSIPermissions\w*|requires a Contributor role and Backup Vault requires a Reader role on the snapshot resource group",
            says="the identities of cluster and vault lack roles on the snapshot resource group",
            sample="UserErrorMissingMSIPermissionsOnSnapshotResourceGroup: The AKS cluster requires a Contributor role and Backup Vault requires a Reader role on the snapshot resource group where the persistent volume snapshots will be stored.",
            near_miss="The snapshot resource group holds 3 snapshots",
        ),
    ),
    why="The identity of the AKS cluster must be Contributor, and that of the backup vault Reader, on the resource group in which volume snapshots are kept (UserErrorMissingMSIPermissionsOnSnapshotResourceGroup).",
    remedy=(
        Step(
            "See which roles are there.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the backup tool make the assignments that it misses.",
            run=(
                "az",
                "dataprotection",
                "backup-instance",
                "update-msi-permissions",
                "--datasource-type",
                "AzureKubernetesService",
                "--operation",
                "Backup",
                "--permissions-scope",
                "ResourceGroup",
                "--vault-name",
                "{name}",
                "-g",
                "{resource_group}",
                "--backup-instance",
                "backupinstance.json",
            ),
            risk=Risk.SAFE,
            verify="the backup instance reaches ProtectionConfigured",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",),
    leads_to=("aso.not_ready",),
    ask="az role assignment list -g {resource_group} -o table",
)
