from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS on Azure Stack HCI believes that an update still runs, and starts no other (installState)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)\[(?P<module>AksHci|Moc|Kva)\] (?:Update|Install|Uninstall) is already in progress",
            says="{module} says that an operation is already in progress",
            sample="[AksHci] Update is already in progress. Please wait ...,",
            near_miss="[AksHci] Update has completed",
            weight=TYPICAL,
        ),
    ),
    why="The PowerShell module keeps the state of its last operation (installState). When a window was closed or the host restarted in the middle, the state stays at Updating or Installing, and every later command waits for an operation that nobody runs.",
    remedy=(
        Step(
            "Make sure that no other session runs an update, and read the state.",
            run=("powershell", "-Command", "(Get-AksHciConfig).AksHci.installState"),
            risk=Risk.READ,
        ),
        Step(
            "If none runs, set the state to failed and start the update again in a new window.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciConfigValue -name installState -value ([InstallState]::UpdateFailed)",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Update-AksHci goes on",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",),
    ask="powershell -Command (Get-AksHciConfig).AksHci.installState",
)
