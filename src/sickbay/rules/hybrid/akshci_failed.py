from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A PowerShell command of AKS on Azure Stack HCI or Windows Server (AksHci, Moc) refused its input or failed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:Set|New|Install|Update|Enable|Disable|Remove|Uninstall|Get|Add|Repair|Sync|Initialize)-(?:AksHci|Moc|Kva)\w*\b(?: ?:| failed| Failed).{0,200}?(?:must be|must not|not found|does not exist|failed|\berror\b|invalid|cannot|could not|is not (?:supported|valid|allowed|in)|exceeds|denied|timed out|not supported)",
            says="a command failed",
            sample="Set-AksHciRegistration : The region is not supported",
            near_miss="Set-AksHciConfig : done",
            unless=r"(?i)\b(?:no|0) errors?\b",
            weight=TYPICAL,
        ),
    ),
    why="The commands of the AksHci, Moc and Kva modules check folders, names, regions, accounts and the state of earlier steps before they act, and stop at the first that does not fit. The sentence after the command names it.",
    remedy=(
        Step(
            "Read the whole error and the logs.",
            run=(
                "powershell",
                "-Command",
                "Get-AksHciLogs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what the sentence names; after a failed installation run Uninstall-AksHci in a new window before the next try.",
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciCluster answers",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/troubleshoot-overview",),
    ask="powershell -Command Get-AksHciLogs",
    vague=True,
)
