from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The environment checks before a deployment of Azure Local failed (UpdateDeploymentSettingsDataFailed)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\{?Name=(?P<check>Azure (?:Stack|Local)[^,{}=]{3,80}|InvokeEnvironmentChecker), Description=[^{}]{0,200}?Status=Error, Exception=(?P<error>[^{}]{0,200}?), Steps|\bAzStackHci_\w+\W{1,4}(?:FAILURE|FAILED|Critical)\b|\bUpdateDeploymentSettingsDataFailed\b|(?i:Deployment Settings validation failed)|(?i:Status[\"' ]{0,3}[:=][\"' ]{0,3}(?:Failure|Critical)\b.{0,300}?AzStackHci_\w+|AzStackHci_\w+.{0,300}?Status[\"' ]{0,3}[:=][\"' ]{0,3}(?:Failure|Critical)\b)",
            says="a check[, {check},] failed[: {error}]",
            sample="UpdateDeploymentSettingsDataFailed: Failed to create deployment settings. Validation status is {Status=Error, Steps={Name=Azure Stack HCI Network, Description=Check network requirements, FullStepIndex=4, Status=Error, Exception=The DHCP status on adapter FABRIC is enabled, Steps=}}",
            near_miss="Validation status is {Status=Success, Steps={Name=Azure Stack HCI Network, Status=Success}}",
            weight=SYMPTOM,
        ),
    ),
    why="Before a cluster of Azure Local is deployed, the environment checker looks at connectivity, Active Directory, hardware, network and the resource bridge on every machine. One of its steps has the status Error, and nothing is deployed until it passes.",
    remedy=(
        Step(
            "Run the checks on a machine and read which one fails.",
            run=("powershell", "-Command", "Invoke-AzStackHciEnvironmentChecker"),
            risk=Risk.READ,
        ),
        Step(
            "Repair what the check names, and start the validation again from the portal or the template.",
            risk=Risk.DISRUPTIVE,
            verify="the validation of the deployment settings wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/use-environment-checker",),
    ask="powershell -Command Invoke-AzStackHciEnvironmentChecker",
    leads_to=("hybrid.instance_failed",),
    wraps=True,
)
