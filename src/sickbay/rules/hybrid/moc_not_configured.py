from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS or MOC was to be installed before its configuration was set (Set-AksHciConfig, Set-MocConfig)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)This machine does not appear to be configured for deployment",
            says="the machine has no configuration",
            sample="Install-Moc failed with error - Exception [[Moc] This machine does not appear to be configured for deployment]",
            near_miss="[Moc] This machine is configured for deployment",
        ),
        Signature(
            pattern=r"(?i)unable to reconcile virtual network\b",
            says="the virtual network could not be made from the configuration",
            sample="Install-AksHci failed: Error: unable to reconcile virtual network",
            near_miss="Install-AksHci: reconciled the virtual network",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:Uninstall|Update|Get|Install)-(?:AksHci|Moc|Kva)\w*\b.{0,120}?Cannot bind argument to parameter '\w+' because it is (?:null|an empty)",
            says="a setting of AKS is empty: it is not installed or not configured",
            sample="Uninstall-AksHci : Cannot bind argument to parameter 'Path' because it is null.",
            near_miss="Uninstall-AksHci : done",
            weight=TYPICAL,
        ),
    ),
    why="Set-AksHciConfig (or Set-MocConfig) writes the settings that the installation reads: working folder, virtual switch, address pools. It was not run, not finished, or run in another session or by another user.",
    remedy=(
        Step(
            "See what is configured.",
            run=(
                "powershell",
                "-Command",
                "Get-AksHciConfig",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the attempt, close all PowerShell windows, and begin again.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Set network and configuration, then install.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciConfig",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciConfig shows the settings",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-AksHciConfig",
)
