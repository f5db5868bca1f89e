from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A command of AKS Edge Essentials failed or refused its input",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:New|Start|Stop|Set|Add|Remove|Get|Connect|Disconnect|Install|Invoke|Test|Enable|Update)-(?:AksEdge|Aide)\w*\b(?: ?:| failed| - ).{0,200}?(?:\berror\b|failed|not found|invalid|cannot|could not|is not (?:supported|valid|allowed)|no update available|disabled|timed out)",
            says="a command failed",
            sample="Start-AksEdgeUpdate : Error: No update available offline",
            near_miss="Start-AksEdgeUpdate : done",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:cannot|failed|exception|error)\b.{0,200}?\bAksEdge\.psm1: line \d+",
            says="the module of AKS Edge Essentials failed",
            sample="Cannot process argument transformation on parameter 'ErrString'. Cannot convert value to type System.String. (AksEdge.psm1: line 4715)",
            near_miss="Loaded C:\\Program Files\\WindowsPowerShell\\Modules\\AksEdge\\1.10.868.0\\AksEdge.psm1",
            weight=TYPICAL,
        ),
    ),
    why="The commands of the AksEdge module check host, configuration and network and then act on the Linux or Windows node. The sentence after the command names the step; the logs hold the rest.",
    remedy=(
        Step(
            "Collect the logs.",
            run=(
                "powershell",
                "-Command",
                "Get-AksEdgeLogs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what the sentence names and run the command again in a new elevated window.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-edge-troubleshoot-overview",),
    ask="powershell -Command Get-AksEdgeLogs",
    vague=True,
)
