from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure Local version is too old for the property or resource type: it isn't supported, update the instance",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)isn't supported for this operation on your Azure Local cluster version|(?:is not|isn't) supported .{0,60}?Azure (?:Local|Stack HCI) cluster version|Supported OS Versions ?: ?\w+ or higher\.? ?Node\(s\) not supported|doesn't support resource type 'Microsoft\.AzureStackHCI/",
            says="the installed version does not know this",
            sample="Property 'securityProfile' isn't supported for this operation on your Azure Local cluster version. Please update your cluster if you want to set this property for this operation.",
            near_miss="Property 'securityProfile' is supported on your Azure Local cluster version",
        ),
    ),
    why="Azure Local refuses properties and resource types that its version does not know (property isn't supported for this operation on your Azure Local cluster version; doesn't support resource type). An update of the instance brings them.",
    remedy=(
        Step(
            "Update the Azure Local instance, or leave the property out.",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("aks.operation_failed",),
    ask="az stack-hci cluster show -g {resource_group} -n <cluster> -o json",
)
