from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Antivirus software keeps programs or libraries of AKS from running on the host",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to load DLL '?[^']{0,160}?(?:AksHci|DownloadSdk|TraceProvider|WindowsPowerShell\\Modules|WssdCloud)|(?:kvactl|mocctl|nodectl|wssdagent|wssdcloudagent)\.exe.{0,160}?(?:blocked by your administrator|virus or potentially unwanted software|Operation did not complete successfully because the file contains a virus)",
            says="a program of AKS was not allowed to load",
            sample="Unable to load DLL 'C:\\Program Files\\WindowsPowerShell\\Modules\\DownloadSdk\\1.1.9\\download.dll': Access is denied",
            near_miss="Loaded DLL 'C:\\Program Files\\WindowsPowerShell\\Modules\\DownloadSdk\\1.1.9\\download.dll'",
            weight=TYPICAL,
        ),
    ),
    why="A scanner or an application policy stops binaries that the cmdlets need (Unable to load DLL, blocked by your administrator), or has removed them.",
    remedy=(
        Step(
            "Exempt kubectl, kvactl, mocctl, nodectl, wssdagent and wssdcloudagent, and the folders C:\\Program Files\\AksHci and the AksHci, Moc, Kva, DownloadSdk and TraceProvider modules.",
        ),
        Step(
            "Restore what was quarantined, open a new window, and repeat the command.",
            run=(
                "powershell",
                "-Command",
                "Import-Module",
                "AksHci",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues",),
    ask="powershell -Command Get-MpThreatDetection",
)
