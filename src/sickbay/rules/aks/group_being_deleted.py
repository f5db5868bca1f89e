from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource group is being deleted, so nothing in it can be made or changed (ResourceGroupBeingDeleted)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bResourceGroupBeingDeleted\b|(?i:resource group '?(?P<group>[\w.()-]+)'? is in (?:the )?(?:deprovisioning|deleting) state)",
            says="the resource group[ {group}] is being deleted",
            sample="ResourceGroupBeingDeleted: The resource group 'MC_rg_shop_westeurope' is in deprovisioning state and cannot perform this operation.",
            near_miss="The resource group 'MC_rg_shop_westeurope' is in succeeded state",
        ),
    ),
    why="A deletion of the resource group is under way: ARM refuses every write in it until it has ended. For the node resource group (MC_) that means that the cluster is being deleted, or that somebody deleted the group beneath a living cluster.",
    remedy=(
        Step(
            "See whether the group still exists.",
            run=(
                "az",
                "group",
                "show",
                "-n",
                "<group>",
                "--query",
                "properties.provisioningState",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See who deleted it.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "<group>",
                "--offset",
                "7d",
                "--query",
                "[?contains(operationName.value,'resourcegroups/delete')]",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until it is gone, then create the cluster again, or under another name of the node resource group."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/delete-resource-group",
    ),
    leads_to=("aks.operation_failed", "aks.request_refused"),
    ask="az group show -n <group> -o json",
)
