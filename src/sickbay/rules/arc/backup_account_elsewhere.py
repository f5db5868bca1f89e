from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The backup storage account is in another location than the cluster (AKS backup extension)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)cluster '?(?P<cluster_name>[\w.-]+)? ?\(?(?P<region>\w+)?\)?'? and the backup storage account .{0,160}?are not in the same location",
            says="the storage account is in another region",
            sample="The Kubernetes managed cluster 'aks1 (westeurope)' and the backup storage account 'sabkp (northeurope)' are not in the same location. Please make sure that the cluster and the storage account are in the same location.",
            near_miss="The cluster and the backup storage account are in the same location",
        ),
    ),
    why="The extension azure-aks-backup (Microsoft.DataProtection.Kubernetes) stores backups in a blob container, and takes only a storage account of the cluster's own region.",
    remedy=(
        Step(
            "Make a storage account in the region of the cluster, and install the extension with it.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "--name",
                "azure-aks-backup",
                "--extension-type",
                "microsoft.dataprotection.kubernetes",
                "--scope",
                "cluster",
                "--cluster-type",
                "managedClusters",
                "--cluster-name",
                "{cluster}",
                "-g",
                "{resource_group}",
                "--release-train",
                "stable",
                "--configuration-settings",
                "blobContainer=<container>",
                "storageAccount=<account>",
                "storageAccountResourceGroup=<group>",
                "storageAccountSubscriptionId=<subscription>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/backup/azure-kubernetes-service-cluster-manage-backups",
    ),
)
