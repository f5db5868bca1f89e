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
            pattern=r"(?i)Unable to load DLL\b.{0,200}?(?:AksHci|DownloadSdk|TraceProvider|WindowsPowerShell\\Modules|WssdCloud)|AksHci\w*\b.{0,200}?Unable to load DLL\b|(?:kvactl|mocctl|nodectl|wssdagent|wssdcloudagent)\.exe.{0,160}?(?:blocked by your administrator|virus or potentially unwanted software|Operation did not complete successfully because the file contains a virus)",
            says="a program of AKS was not allowed to load",
            sample="Unable to load DLL 'C:\\Program Files\\WindowsPowerShell\\Modules\\DownloadSdk\\1.1.9\\download.dll': Access is denied",
            near_miss="Loaded DLL 'C:\\Program Files\\WindowsPowerShell\\Modules\\DownloadSdk\\1.1.9\\download.dll'",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Exploit Guard has blocked an operation|\bD1E49AAC-8F56-4280-B9BA-993A6D77406C\b|hotfix installer\b.{0,400}?0x80070005",
            says="a rule of Defender blocked a process",
            sample="Microsoft Defender Exploit Guard has blocked an operation that is not allowed by your IT administrator. ID: D1E49AAC-8F56-4280-B9BA-993A6D77406C",
            near_miss="Microsoft Defender Exploit Guard audited an operation",
            weight=TYPICAL,
        ),
    ),
    why="A scanner or an application policy stops binaries that the cmdlets need (Unable to load DLL, blocked by your administrator), or has removed them. The attack surface reduction rule against processes made by PSExec and WMI, set to Block in place of Audit, also stops the installer of Cluster-Aware Updating (0x80070005).",
    remedy=(
        Step(
            "Exempt kubectl, kvactl, mocctl, nodectl, wssdagent and wssdcloudagent, and the folders C:\\Program Files\\AksHci and the AksHci, Moc, Kva, DownloadSdk and TraceProvider modules.",
        ),
        Step(
            "Where the rule D1E49AAC-8F56-4280-B9BA-993A6D77406C blocks, set it to audit, on the nodes and in the group policy that sets it.",
            run=(
                "powershell",
                "-Command",
                "Set-OSConfigDesiredConfiguration -Scenario Defender/Antivirus -Setting ASRBlockProcessCreationFromPSExecAndWMICommands -Value 2",
            ),
            risk=Risk.SAFE,
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
    leads_to=("hybrid.cau_failed",),
)
