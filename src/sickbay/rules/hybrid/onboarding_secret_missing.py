from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc onboarding of AKS was started without the secret of its service principal",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)variable CLIENT_SECRET is required|azure-arc-onboarding.{0,300}?az login: error: argument --password/-p: expected one argument",
            says="the onboarding job has no secret",
            sample="Starting onboarding process ERROR: variable CLIENT_SECRET is required",
            near_miss="Starting onboarding process: variable CLIENT_SECRET is set",
        ),
    ),
    why="The onboarding job signs in with a service principal. Its secret did not reach the job: Az.Accounts 2.7 and later no longer hands it out to older AksHci modules, and Windows Admin Center may pass an empty one.",
    remedy=(
        Step(
            "See the version.",
            run=(
                "powershell",
                "-Command",
                "Get-Module",
                "-ListAvailable",
                "Az.Accounts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the AksHci modules, or remove Az.Accounts 2.7.x.",
            run=(
                "powershell",
                "-Command",
                "Update-Module",
                "-Name",
                "AksHci",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Connect with PowerShell, and pass the credential.",
            run=(
                "powershell",
                "-Command",
                "Enable-AksHciArcConnection",
                "-name",
                "<cluster>",
                "-credential",
                "$credential",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show wants connectivityStatus Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-arc",
    ),
    leads_to=(
        "kubernetes.setting_missing",
        "arc.onboarding_timeout",
        "arc.agent_offline",
    ),
    ask="kubectl logs -n azure-arc-onboarding job/azure-arc-onboarding",
)
