from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An old appliance template in vCenter is reused and no longer works (error during host configuration)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)An error occurred during host configuration",
            says="vCenter failed during host configuration",
            sample="Appliance cluster deployment failed with error: Error: An error occurred during host configuration",
            near_miss="Host configuration completed",
        ),
    ),
    why="After several deployments and deletions with the same VM template, vCenter refuses it: an error occurred during host configuration. The template has to be deleted by hand, so that prepare downloads a fresh one.",
    remedy=(
        Step(
            "Delete the old template in vCenter.",
            run=(
                "govc",
                "vm.destroy",
                "<template>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Download a new template.",
            run=(
                "az",
                "arcappliance",
                "prepare",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Deploy again.",
            run=(
                "az",
                "arcappliance",
                "deploy",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
