from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM's machine resource has no system-assigned managed identity, which guest management needs",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Invalid managed identity\. A system-assigned managed identity must be enabled in parent resource",
            says="the parent machine has no system-assigned identity",
            sample="VM Spec validation failed for guest agent provisioning: Invalid managed identity. A system-assigned managed identity must be enabled in parent resource: Invalid Configuration",
            near_miss="A system-assigned managed identity is enabled in the parent resource",
        ),
    ),
    why="Guest management on Azure Local needs a system-assigned managed identity on the parent Microsoft.HybridCompute/machines resource; the identity block belongs there, not on virtualMachineInstances.",
    remedy=(
        Step(
            "Enable the identity.",
            run=(
                "az",
                "connectedmachine",
                "update",
                "--ids",
                "<machine-id>",
                "--set",
                "identity.type=SystemAssigned",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Enable guest management again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("aks.operation_failed",),
    ask="az connectedmachine show --ids <machine-id> --query identity.type",
)
