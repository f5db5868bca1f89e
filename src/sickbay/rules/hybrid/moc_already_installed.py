from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="MOC is installed already, so its configuration cannot be set again",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Cannot set new (?P<product>Moc|Kva|AksHci) configuration when in this state \[(?P<state>\w+)\]",
            says="{product} is in state {state}",
            sample="Install-ResourceBridge: Cannot set new Moc configuration when in this state [Installed] Please check your system and retry deployment.",
            near_miss="Set new Moc configuration; state NotInstalled",
        ),
        Signature(
            pattern=r"(?i)Azure Kubernetes Service is already set ?up on this (?:Azure (?:Stack HCI|Local)|cluster)\b.{0,120}?(?:not configured correctly|clean up)(?P<product>)(?P<state>)",
            says="an earlier installation was not cleaned up",
            sample="An Azure Kubernetes Service is already setup on this Azure Stack HCI but is not configured correctly. Please clean up your environment to setup again.",
            near_miss="Azure Kubernetes Service is set up on this Azure Stack HCI and configured correctly.",
            weight=TYPICAL,
        ),
    ),
    why="The configuration of MOC is written once, before its installation. AKS and the Arc resource bridge share one MOC on a cluster: when the first is there, the second must use it as it is, and a changed setting (a VLAN, an address pool) needs MOC to be taken away first.",
    remedy=(
        Step(
            "Leave out the step that sets the configuration (Set-MocConfig, Set-AksHciConfig), and go on with the next.",
        ),
        Step(
            "To change a setting, remove what stands on MOC and MOC itself, then configure and install anew.",
            run=("powershell", "-Command", "Uninstall-Moc"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-MocConfig",
)
