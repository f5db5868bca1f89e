from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The managed identity stands on the VM instance instead of the machine resource (ConflictingOperation)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bConflictingOperation\b.{0,400}?(?:virtualMachineInstances.{0,200}?identity|identity.{0,200}?virtualMachineInstances|managed identity)|(?:virtualMachineInstances|managed identity).{0,300}?\bConflictingOperation\b",
            says="the identity is on the wrong resource",
            sample="ConflictingOperation: Unable to process request 'Microsoft.AzureStackHCI/virtualMachineInstances'. There is already a previous running operation for managed identity of resource '/subscriptions/1/resourceGroups/rg/providers/Microsoft.HybridCompute/machines/vm1'.",
            near_miss="ConflictingOperation: another operation is in progress on the disk",
        ),
    ),
    why="On Azure Local a VM is two resources: the machine (Microsoft.HybridCompute/machines), which carries the identity, and the instance below it (virtualMachineInstances). A template that puts the identity block on the instance makes two writes to the identity at once, and fails with ConflictingOperation.",
    remedy=(
        Step(
            "Move the identity block of the template from Microsoft.AzureStackHCI/virtualMachineInstances to Microsoft.HybridCompute/machines.",
        ),
        Step(
            "Deploy the template again.",
            run=(
                "az",
                "deployment",
                "group",
                "create",
                "-g",
                "{resource_group}",
                "--template-file",
                "<template>",
            ),
            risk=Risk.SAFE,
            verify="az connectedmachine show -g {resource_group} -n <vm> --query identity.type wants SystemAssigned",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=(
        "aks.operation_in_progress",
        "aks.operation_failed",
    ),
    ask="az connectedmachine show -g {resource_group} -n <vm> --query identity",
)
