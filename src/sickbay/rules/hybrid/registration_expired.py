from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in to Azure that AKS on Azure Stack HCI or Windows Server keeps is not valid any more",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Connection to Azure failed\. Please run 'Set-AksHciRegistration'|Set-AksHciRegistration.{0,120}?Unable to acquire token",
            says="the registration has no valid sign-in",
            sample="Connection to Azure failed. Please run 'Set-AksHciRegistration' and try again",
            near_miss="Connection to Azure succeeded. Set-AksHciRegistration is done",
        ),
    ),
    why="Connecting clusters and billing use the sign-in of Set-AksHciRegistration. It has expired, or the account has several tenants and the token was asked of the wrong one.",
    remedy=(
        Step(
            "Sign in again with the same subscription and group as at first, naming the tenant.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciRegistration",
                "-subscriptionId",
                "<subscription>",
                "-resourceGroupName",
                "<group>",
                "-TenantId",
                "<tenant>",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciRegistration shows the subscription",
        ),
        Step(
            "Repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-arc",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
    ),
)
