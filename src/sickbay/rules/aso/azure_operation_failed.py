from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure service itself failed during the operation; the request was not at fault",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>AzureCacheForRedisLongRunningOperationFailure|VmssGatewayDeploymentFailed)\b(?:.{0,300}?Correlation id: (?P<correlation>[\w-]+))?",
            says="the service reports {code}",
            sample="AzureCacheForRedisLongRunningOperationFailure: An error occurred during the long running operation. Request Id: 234bed89-74ee-4e15-969f-e5aa9726976b, Correlation id: 8acc746b-3fcf-4070-87b6-8eacb4a09800",
            near_miss="The long running operation completed. Correlation id: 8acc746b-3fcf-4070-87b6-8eacb4a09800",
            weight=TYPICAL,
        ),
    ),
    why="A long-running operation ended with an error of the service, such as AzureCacheForRedisLongRunningOperationFailure for Redis or VmssGatewayDeploymentFailed for the deployment of an application gateway. ASO tries again; when it persists only the product group can see why.",
    remedy=(
        Step(
            "Look at what the service says of the resource.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the next attempt. If it goes on, contact the product group of the resource with the whole error, the UTC time, the resource id and the correlation id {correlation}."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://learn.microsoft.com/azure/azure-portal/supportability/how-to-create-azure-support-request",
    ),
    leads_to=("aso.not_ready",),
    ask="az monitor activity-log list --resource-group {resource_group} --status Failed --offset 1d -o table",
)
