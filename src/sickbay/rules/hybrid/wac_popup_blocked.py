from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Windows Admin Center could not create the service principal: the browser blocks the sign-in window (pop-up)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)error occurred while creating (?:the )?service principal",
            says="the service principal was not made",
            sample="Windows Admin Center: error occurred while creating service principal",
            near_miss="Windows Admin Center: service principal created",
            weight=TYPICAL,
        ),
    ),
    why="The wizard signs in to Azure in a pop-up window. A browser that blocks pop-ups never shows it, and the wizard reports that the service principal could not be made.",
    remedy=(
        Step(
            "Allow pop-ups for the address of Windows Admin Center, and start the step again.",
            risk=Risk.SAFE,
            verify="the wizard shows the Azure sign-in",
        ),
        Step(
            "If the sign-in did appear, see whether the account may create applications in Entra ID.",
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-windows-admin-center",),
    ask="az ad sp list --show-mine -o table",
)
