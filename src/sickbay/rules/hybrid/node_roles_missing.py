from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The managed identity of an Azure Local machine has no access to the subscription (MSI@)",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\baccount MSI@\d{1,6} does not have access to subscription(?: ID)?\W{0,4}(?P<subscription>[\w-]{0,40})",
            says="the identity of the machine cannot see the subscription",
            sample='The provided account MSI@50342 does not have access to subscription ID "00000000-0000-0000-0000-000000000000". Please try logging in with different credentials or a different subscription ID.',
            near_miss='The provided account MSI@50342 has access to subscription ID "00000000-0000-0000-0000-000000000000".',
        ),
    ),
    why="Deployment and update sign in to Azure as the system-assigned identity of each machine's Arc resource. It needs the roles Azure Stack HCI Device Management Role and Azure Stack HCI Connected InfraVMs on the resource group of the registration. They are missing after a move or a clean-up of role assignments; a PowerShell module Az.Accounts of another version gives the same error.",
    remedy=(
        Step(
            "See the Arc resource of each machine, and that it is connected.",
            run=("azcmagent", "show"),
            risk=Risk.READ,
        ),
        Step(
            "See the roles of its identity.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "<machine-principal-id>",
                "--all",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the missing role, for each machine.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<machine-principal-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Azure Stack HCI Device Management Role",
                "--scope",
                "<resource-group-id>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list shows both roles for every machine; the validation passes",
        ),
        Step(
            "Roles complete: bring the PowerShell modules to the versions of the release, in a new session.",
            run=("powershell", "-Command", "Get-Module -ListAvailable Az.Accounts"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/deploy/deployment-arc-register-server-permissions",
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
    ),
    leads_to=("hybrid.update_step_failed", "hybrid.deployment_validation"),
    ask="azcmagent show",
)
