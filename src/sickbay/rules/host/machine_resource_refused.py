from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure refused to create or delete the machine resource of Azure Arc: role, provider or policy (AZCM0042)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZCM004[23]\b|AZCMAgent command failed\b.{0,60}?exit ?code: ?4[23]\b|Failed to AzcmagentConnect ARM resource|does not have authorization to perform action 'Microsoft\.HybridCompute/machines/",
            says="the machine resource was refused",
            sample="FATAL AZCM0042: Creation of the Azure Arc-enabled server resource failed",
            near_miss="FATAL AZCM0041: The credentials supplied are invalid",
            weight=TYPICAL,
        ),
    ),
    why="The agent creates a Microsoft.HybridCompute/machines resource in the name of whoever signed in. That account lacks the authorization (AuthorizationFailed: the role Azure Connected Machine Onboarding , or Resource Administrator for deleting), the provider Microsoft.HybridCompute is not registered, or a policy or lock forbids it; the message behind the code says which.",
    remedy=(
        Step(
            "Give the account the role.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<account>",
                "--role",
                "b64e21ea-ac4e-4cdf-9dc9-5b892992bee7",
                "--scope",
                "/subscriptions/<subscription>/resourceGroups/{resource_group}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Register the provider.",
            run=(
                "az",
                "provider",
                "register",
                "-n",
                "Microsoft.HybridCompute",
                "--wait",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Run azcmagent connect again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=(
        "host.machine_agent_failed",
        "aks.authorization_failed",
    ),
    ask="az role assignment list --assignee <account> --all -o table",
)
