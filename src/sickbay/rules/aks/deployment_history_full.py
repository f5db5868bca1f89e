from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource group keeps as many deployments in its history as it may (DeploymentQuotaExceeded)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bDeploymentQuotaExceeded\b|(?i:Creating the deployment '?(?P<deployment>[^' ]{1,120})'? would exceed the quota of '?(?P<limit>\d+))",
            says="no further deployment fits into the history",
            sample="(DeploymentQuotaExceeded) Creating the deployment 'shop' would exceed the quota of '800'. The current deployment count is '800'. Please delete some deployments before creating a new one, or see https://aka.ms/800LimitFix for information on managing deployment limits.",
            near_miss="Creating the deployment 'shop' succeeded",
        ),
    ),
    why="A resource group remembers 800 deployments. Azure deletes old ones by itself, unless a lock or a missing permission keeps it from that; when the history is full, nothing more can be deployed there.",
    remedy=(
        Step(
            "Look for a lock that keeps the history from being cleaned up.",
            run=(
                "az",
                "lock",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete old deployments: their records go, the resources stay.",
            run=(
                "az",
                "deployment",
                "group",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "<deployment>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/templates/deployment-quota-exceeded",
    ),
    leads_to=(
        "aks.deployment_failed",
        "aks.operation_failed",
        "aks.request_refused",
    ),
    ask="az deployment group list -g {resource_group} --query length(@)",
)
