from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AKS backup extension is missing or unhealthy",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\b(?:UserError)?KubernetesBackup(?:Extension(?P<state>NotFound|Unhealthy|HasErrors|IdentityNotFound)\w*|CustomResourcesTrackingTimeOut\w*)|\b(?:UserErrorBackupPluginPodRestartedDuring\w+|BackupPluginDeleteBackupOperationFailed|ExtensionTimedOutWaitingForBackupItemSync)\b|KubernetesBackupListExtensionsError|release \[?azure-aks-backup\]? failed|Unable to find the Azure Backup Kubernetes extension|Backup Extension in the AKS cluster is unhealthy|(?i:backup extension is not (?:installed|in a healthy state|healthy))",
            says="the backup extension does not work[: {state}]",
            sample="UserErrorKubernetesBackupExtensionUnhealthy: The Backup Extension in the AKS cluster is unhealthy.",
            near_miss="The Backup Extension in the AKS cluster is healthy.",
        ),
    ),
    why="AKS backup works through the extension azure-aks-backup in the cluster. It is not installed (UserErrorKubernetesBackupExtensionNotFound), still being created, or its pods do not run (UserErrorKubernetesBackupExtensionUnhealthy), for example because the cluster is stopped or full.",
    remedy=(
        Step(
            "See the state of the extension.",
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
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See its pods.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "dataprotection-microsoft",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the extension, or give it nodes to run on and install it again.",
            risk=Risk.SAFE,
            verify="az k8s-extension show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",),
    leads_to=("aso.not_ready",),
    ask="az k8s-extension show --name azure-aks-backup --cluster-type managedClusters --cluster-name {cluster} -g {resource_group}",
)
