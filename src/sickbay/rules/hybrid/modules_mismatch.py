from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell modules and tools of AKS are of different versions, so a parameter is not known",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:AksHci|Moc|Kva)\w*.{0,200}?A parameter cannot be found that matches parameter name '?(?P<parameter>\w+)|A parameter cannot be found that matches parameter name '?(?:nodePoolName|cloudServiceCIDR|cloudServiceIP|cloudConfigLocation|vipPool\w+|k8sNodeIpPool\w+|concurrentDownloads|skipHostLimitChecks)\b|(?:kvactl|mocctl)(?:\.exe)?.{0,500}?unknown flag: --(?P<flag>[\w-]+)",
            says="a parameter is not known to the other part",
            sample="New-AksHciCluster : A parameter cannot be found that matches parameter name 'nodePoolName'.",
            near_miss="New-AksHciCluster : created the node pool of parameter nodePoolName",
            weight=TYPICAL,
        ),
    ),
    why="The modules AksHci, Moc and Kva, Windows Admin Center and the tools kvactl and mocctl belong together. Where hosts have different versions, or several are installed side by side, one part passes what the other does not know.",
    remedy=(
        Step(
            "See the versions on every host.",
            run=(
                "powershell",
                "-Command",
                "Get-Module",
                "-ListAvailable",
                "AksHci,Moc,Kva",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring all hosts to one version, remove the others, and open a new window.",
            run=(
                "powershell",
                "-Command",
                "Update-Module",
                "-Name",
                "AksHci",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-workload-clusters",),
    ask="powershell -Command Get-Module -ListAvailable AksHci,Moc,Kva",
)
