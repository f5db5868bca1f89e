from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A core resource of the failover cluster is failed or offline (cluster IP address, network name, group)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bCluster (?:IP Address(?: [\d.]{7,15})?|Name)\b[\s:|\"]{1,30}(?:State[\s:|\"]{1,6})?(?:Failed|Offline)\b|Cluster IP Address [\d.]{7,15}\b.{0,40}?\bfail(?:s|ed)?\b|Clustered role '(?P<role>[^']{1,60})' has exceeded its failover threshold|failed to bring clustered role '(?P<offline>[^']{1,60})' completely online|The cluster resource '?Cluster (?:Name|IP)\b.{0,80}?(?:failed|offline)",
            says="a core resource of the failover cluster is down",
            sample="Cluster IP Address 10.0.0.20 Failed Cluster Group IP Address",
            near_miss="Cluster IP Address 10.0.0.20 Online Cluster Group IP Address",
            unless=r"(?i)role '(?:Azure Stack HCI )?Cloud Management'",
            weight=TYPICAL,
        ),
    ),
    why="AKS and MOC stand on the Windows failover cluster: its IP address and network name must be online before the cloud agent can start or a check passes. A failed one mostly means an address that is used elsewhere, a network that is down, or a computer object in Active Directory that was deleted or disabled.",
    remedy=(
        Step(
            "See the core resources.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup -Name 'Cluster Group' | Get-ClusterResource",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Stop and start the resource that is failed; look for the address or name in DNS and Active Directory if it fails again.",
            run=(
                "powershell",
                "-Command",
                "Start-ClusterResource -Name '<resource>'",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterResource wants State Online",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-networking",),
    ask="powershell -Command Get-ClusterResource",
    leads_to=("hybrid.cloud_agent_down",),
)
