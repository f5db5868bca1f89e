from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Container Storage cannot be enabled like this: version, pool type or node pools do not fit",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"Failed to enable .{0,60}?Azure Container Storage .{0,120}?is already installed on the cluster|Azure Container Storage (?:version \S{1,20} )?is already (?:enabled|installed|configured)|Cannot (?:enable|disable) Azure Container Storage as it is|Azure Container Storage is not enabled|Cannot (?:enable|operate) Azure Container Storage\b.{0,120}?(?P<problem>cores less than 4|none of the nodepools)|Azure Container Storage can be enabled only on|Unable to install Azure Container Storage on system nodepool|latest version of Azure Container Storage (?:only supports|does not require)|(?i:Invalid --(?:en|dis)able-azure-container-storage value)|(?i:must be (?:specified|defined) .{0,40}?--(?:en|dis)able-azure-container-storage)|Cannot (?:set|define) --(?:storage-pool|ephemeral-disk|azure-container-storage)-[\w-]+|Azure Container Storage requires at least",
            says="the request for Azure Container Storage does not fit the cluster[: {problem}]",
            sample="Failed to enable the latest version of Azure Container Storage as version 1.3.1 is already installed on the cluster. Try enabling Azure Container Storage in another cluster.",
            near_miss="Azure Container Storage successfully installed.",
        ),
    ),
    why="A cluster holds one major version of Azure Container Storage. Version 1 takes a storage pool type (azureDisk, elasticSan, ephemeralDisk) and labelled Linux pools with at least four cores; version 2 serves local NVMe and takes no pool parameters. The CLI compares the command with what is installed and refuses it before anything is changed.",
    remedy=(
        Step(
            "See which version is installed.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "--cluster-type",
                "managedClusters",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].[name,extensionType,currentVersion,provisioningState]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Say the version that is meant with --container-storage-version, and only the parameters that it knows.",
        ),
        Step(
            "To change the version, move the data away first and disable the old one: its volumes go with it.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--disable-azure-container-storage",
                "all",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az k8s-extension list shows it no more",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/storage/container-storage/container-storage-introduction",
    ),
    leads_to=("aks.request_refused",),
)
