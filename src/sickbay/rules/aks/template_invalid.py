from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The template of the deployment (ARM, Bicep) or its parameters are not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"^(?P<code>InvalidTemplate|InvalidTemplateCircularDependency|InvalidContentLink|MismatchingResourceSegments|TemplateResolutionFailed|InvalidDeploymentParameterValue|InvalidResourceNamespace|DeploymentJobSizeExceeded|JobSizeExceeded|DeploymentNameInvalidCharacters|DeploymentNameLengthLimitExceeded): (?P<reason>.{0,200})",
            says="{code}: {reason}",
            sample="InvalidTemplate: Deployment template validation failed: 'The resource 'Microsoft.Network/networkSecurityGroups/shop-nsg' at line '1' and column '26450' is defined multiple times in a template.'.",
            near_miss="Deployment template validation succeeded",
            weight=TYPICAL,
            unless=r"VMSize|(?:Standard|Basic)_[A-Z]",
        ),
        Signature(
            pattern=r"(?i)Deployment template (?:validation|parse) failed|could not be deserialized: 'Could not find member '\w+' on object of type 'Deployment\w+|: Error BCP\d{3}: |Error: BCP\d{3}: |Unable to process template language expressions|is defined multiple times in a template|The value of deployment parameter '\w+' is null|is not defined in the template\. Please see|The 'location' property (?:is not allowed|must be specified) for '",
            says="the template did not pass its validation",
            sample="Deployment template validation failed: 'The resource 'Microsoft.ContainerService/managedClusters/shop' is not defined in the template. Please see https://aka.ms/arm-syntax for usage details.'.",
            near_miss="Deployment template validation succeeded",
            weight=TYPICAL,
            unless=r"VMSize|(?:Standard|Basic)_[A-Z]",
        ),
    ),
    why="Resource Manager reads the whole template and request before it creates anything: a location for a deployment to a group (or none for one to a subscription), resources that are defined twice, depend on each other in a circle or on one that is not there, names with a wrong number of segments, parameters that are missing or not among the allowed values, and expressions that cannot be evaluated stop it here.",
    remedy=(
        Step(
            "Validate without deploying; the message names line and column.",
            run=(
                "az",
                "deployment",
                "group",
                "validate",
                "-g",
                "{resource_group}",
                "--template-file",
                "<file>",
            ),
            risk=Risk.READ,
        ),
        Step("Correct the place that the message names, and deploy again."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-invalid-template",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=(
        "aks.deployment_failed",
        "aks.operation_failed",
        "aks.request_refused",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az deployment group validate -g {resource_group} --template-file <file>",
)
