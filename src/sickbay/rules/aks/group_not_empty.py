from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource group cannot be deleted by Terraform or Ansible: it still contains resources",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)the Resource Group still contains Resources|Error removing resource group \S{1,90}\. Resources exist within the group|Terraform is configured to check for Resources within the Resource Group",
            says="something that Terraform does not manage is left in the group",
            sample='Error: deleting Resource Group "rg": the Resource Group still contains Resources. Terraform is configured to check for Resources within the Resource Group when deleting the Resource Group',
            near_miss='Resource Group "rg" was deleted',
        ),
    ),
    why="The provider looks before it deletes a group, and stops when there is something in it that its state does not hold: what was made by hand, or what Azure and AKS make on their own (alerts, data collection rules, diagnostic settings, a managed identity).",
    remedy=(
        Step(
            "See what is left.",
            run=("az", "resource", "list", "-g", "{resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete it, or let the provider delete the group with all its content (`prevent_deletion_if_contains_resources = false`).",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs/guides/features-block",
    ),
    leads_to=("aks.delete_failed",),
    ask="az resource list -g {resource_group} -o table",
)
