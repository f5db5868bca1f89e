from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cost analysis needs the Azure disk driver, and it is disabled (InvalidDiskCSISettingForCostAnalysis)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"InvalidDiskCSISettingForCostAnalysis|(?i:cost analysis .{0,120}?(?:requires|needs) .{0,40}?disk (?:csi )?driver)|(?i:disk (?:csi )?driver can ?not be disabled.{0,80}?cost ?analysis)",
            says="cost analysis was refused for want of the disk driver",
            sample="InvalidDiskCSISettingForCostAnalysis: Cost analysis requires the Azure Disk CSI driver to be enabled.",
            near_miss="Cost analysis was enabled on the cluster.",
        ),
    ),
    why="The agent of cost analysis keeps its data on an Azure disk, so storageProfile.diskCSIDriver must be enabled.",
    remedy=(
        Step(
            "Enable the disk driver.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-disk-driver",
            ),
        ),
        Step(
            "Then enable the add-on.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-cost-analysis",
            ),
            verify="az aks show --query metricsProfile.costAnalysis.enabled wants true",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/aks-cost-analysis-add-on-issues",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
