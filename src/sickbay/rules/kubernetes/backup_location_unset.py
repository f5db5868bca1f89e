from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The backup storage location of Velero lacks a setting of its Azure plugin (resource group, account, key)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"unable to get all required config values: the following keys do not have values: (?P<keys>[\w, ]{1,200})|no storage account key found in env var|\b(?P<lacks>storageAccount|resourceGroup|subscriptionId) is required in BSL|\bconfig has invalid keys \[[\w, ]{1,200}\]",
            says="the location is not configured completely[: {keys}][: {lacks}]",
            sample='level=error msg="Error getting backup store for this location" backupLocation=default error="rpc error: code = Unknown desc = unable to get all required config values: the following keys do not have values: resourceGroup"',
            near_miss='level=info msg="Backup storage location is valid, marking as available" backupLocation=default',
        ),
    ),
    why="The plugin finds the storage account by what the location names: resourceGroup, storageAccount and, when a key is used, storageAccountKeyEnvVar. That last one takes the name of a variable in the credentials file (as a rule AZURE_STORAGE_ACCOUNT_ACCESS_KEY), never the key itself; without it the plugin needs an identity that may list the keys.",
    remedy=(
        Step(
            "See what the location is given.",
            run=("kubectl", "get", "backupstoragelocations", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Set what is missing in its spec.config, with the name of the variable and not the key itself. If the key stands there, rotate it.",
            run=(
                "kubectl",
                "edit",
                "backupstoragelocation",
                "-n",
                "velero",
                "<location>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get backupstoragelocations -A wants PHASE Available",
        ),
    ),
    docs=(
        "https://velero.io/docs/main/api-types/backupstoragelocation/",
        "https://velero.io/docs/main/troubleshooting/",
    ),
    leads_to=("kubernetes.backup_failed",),
    ask="kubectl get backupstoragelocations -A -o yaml",
)
