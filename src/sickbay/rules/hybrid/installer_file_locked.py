from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A file of the AKS or MOC installer is held open by another process",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)The process cannot access the file '?(?P<file>[^']{0,200}?(?:mocstack|akshci|kva|\bmoc\b|wssd|downloadsdk)[^']{0,120}?)'? because it is being used by another process",
            says="the file {file} is in use",
            sample="The process cannot access the file 'C:\\AksHci\\mocstack.cab' because it is being used by another process.",
            near_miss="The process opened the file 'C:\\AksHci\\mocstack.cab'",
        ),
    ),
    why="Another PowerShell session, Windows Admin Center or a scanner still holds the file of an earlier attempt, so the installer cannot replace it.",
    remedy=(
        Step(
            "Close all PowerShell windows and Windows Admin Center, and exempt the AksHci folders from the antivirus.",
        ),
        Step(
            "Install again in a new window.",
            run=(
                "powershell",
                "-Command",
                "Install-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
)
