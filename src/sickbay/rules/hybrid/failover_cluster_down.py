from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Windows failover cluster under AKS is down or lost its quorum",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)Cluster service is shutting down because quorum was lost|\bcluster\b.{0,60}?\b(?:lost|no) quorum|quorum (?:was |is )?lost\b.{0,60}?(?:failover|cluster)|FailoverClustering-Client\b.{0,600}?Status is 17(?:22|53)\b|LogExtendedErrorInformation\b.{0,400}?Status is 17(?:22|53)\b|The cluster service (?:is not running|has terminated|terminated unexpectedly)|Get-Cluster\w*\b.{0,80}?The cluster service is not running",
            says="the failover cluster is down",
            sample="The Cluster service is shutting down because quorum was lost.",
            near_miss="The Cluster service is running",
            unless=r"(?i)etcd|control ?-?plane",
            weight=TYPICAL,
        ),
    ),
    why="AKS, MOC and the virtual machines of Azure Local run as roles of a failover cluster. When more than half of its votes are gone - nodes down, witness not reachable, network split - the cluster service stops on the rest, and with it every role.",
    remedy=(
        Step(
            "See nodes, witness and events.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode; Get-ClusterQuorum; Get-WinEvent -LogName Microsoft-Windows-FailoverClustering/Operational -MaxEvents 50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring nodes or witness back; force quorum only on one side of a split.",
            run=(
                "powershell",
                "-Command",
                "Start-ClusterNode -FixQuorum",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterNode wants Up on all nodes",
        ),
    ),
    docs=("https://learn.microsoft.com/windows-server/failover-clustering/manage-cluster-quorum",),
    ask="powershell -Command Get-ClusterNode",
    leads_to=("hybrid.cloud_agent_down",),
)
