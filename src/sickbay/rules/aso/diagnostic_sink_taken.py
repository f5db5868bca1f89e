from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another diagnostic setting of the resource sends this category to the same destination already (Data sink)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Data sink '(?P<sink>[^']{1,400})' is already used in diagnostic setting '(?P<setting>[^']{1,200})'(?: for category '(?P<category>[^']{1,100})')?|Data sinks can't be reused in different settings on the same category",
            says="the diagnostic setting {setting} sends the same category[ {category}] to {sink}",
            sample="Conflict: Data sink '/subscriptions/0/resourceGroups/log/providers/Microsoft.OperationalInsights/workspaces/law' is already used in diagnostic setting 'ds0' for category 'allLogs'. Data sinks can't be reused in different settings on the same category for the same resource.",
            near_miss="The diagnostic setting 'ds0' sends category 'allLogs' to its data sink.",
        ),
    ),
    why="A resource may have several diagnostic settings, but no two of them may send the same log category or metric to the same workspace, storage account or event hub. Often the other setting was made by an Azure Policy (deployIfNotExists), by the portal, or by an earlier run under another name.",
    remedy=(
        Step(
            "List the settings of the resource.",
            run=(
                "az",
                "monitor",
                "diagnostic-settings",
                "list",
                "--resource",
                "<resource-id>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take over the one that is there under its own name (import it), choose another destination, or delete it.",
            run=(
                "az",
                "monitor",
                "diagnostic-settings",
                "delete",
                "--resource",
                "<resource-id>",
                "-n",
                "<setting>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the same request wants to succeed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-monitor/platform/diagnostic-settings",),
    leads_to=(
        "aso.operation_conflict",
        "aso.invalid_value",
        "aso.request_refused",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.not_ready",
    ),
    ask="az monitor diagnostic-settings list --resource <resource-id> -o table",
)
