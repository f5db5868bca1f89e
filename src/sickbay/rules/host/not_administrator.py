from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The command was run without administrator or root rights, which it needs",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bAZCM0(?:018|155)\b|(?i:You must be root to execute)|(?i:(?:azcmagent|arcappliance|AksHci|AksEdge|Moc\b|AzStackHci|connectedk8s|\.ps1\b).{0,200}?(?:must be run (?:as|with) (?:an )?administrat|needs? to be run (?:as|with) (?:an )?admin|requires? (?:elevation|administrat\w+ (?:rights|privileges)))|(?:must|needs to|please) (?:be )?run .{0,40}?(?:elevated|as (?:an )?administrator).{0,160}?(?:azcmagent|arcappliance|AksHci|AksEdge|PowerShell))|(?i:statement for running as Administrator)|(?i:PowerShell session is not running as Administrator)",
            says="the shell has no administrator rights",
            sample="You must be root to execute /usr/bin/azcmagent",
            near_miss="azcmagent is run as root",
        ),
    ),
    why="The agent, its installer and the modules of AKS and MOC write services, certificates and system folders, which only an administrator (Windows, in an elevated window) or root (Linux) may.",
    remedy=(
        Step(
            "Open an elevated PowerShell window, or use sudo, and repeat the command.",
            risk=Risk.SAFE,
            verify="the command does not complain about rights any more",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="whoami /groups",
)
