from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An ARM deployment failed; the error inside it names the cause",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"\b(?:DeploymentFailed|InvalidTemplateDeployment|ResourceDeploymentFailure|DeploymentFailedCleanUp|ResourceWriteFailed|MultipleErrorsOccurred)\b|(?i:failed deploying: deploying to (?:subscription|resource group))|(?i:error deploying infrastructure)|At least one resource deployment operation failed|The template deployment .{0,120}?is not valid according to the validation procedure",
            says="a deployment failed",
            sample="DeploymentFailed: At least one resource deployment operation failed. Please list deployment operations for details. Please see https://aka.ms/arm-deployment-operations for usage details.",
            near_miss="DeploymentSucceeded: all resource deployment operations have completed",
            weight=SYMPTOM,
        ),
    ),
    why="ARM reports `DeploymentFailed`, `InvalidTemplateDeployment` or `ResourceDeploymentFailure` for any resource that did not come about. These codes only carry the error of that resource.",
    remedy=(
        Step(
            "List the operations of the deployment and read the innermost error.",
            run=(
                "az",
                "deployment",
                "operation",
                "group",
                "list",
                "-g",
                "{resource_group}",
                "-n",
                "<deployment>",
                "--query",
                "[?properties.provisioningState=='Failed'].properties.statusMessage",
            ),
            risk=Risk.READ,
        ),
        Step("Treat that error, then deploy again."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    wraps=True,
)
