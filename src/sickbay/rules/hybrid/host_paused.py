from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A host of the failover cluster is paused (maintenance mode), so machines of AKS on it do not start",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:hci|aks|moc|azure local|control[- ]plane|load[- ]balancer)\b.{0,200}?\b(?:node|host)s?\b.{0,40}?\b(?:is|are|was) (?:in )?(?:paused|suspended|maintenance mode|(?:failover cluster )?maintenance)\b.{0,300}?\b(?:hangs?|stuck|not (?:boot|start)|stays? off|offline|never starts?)\b|\b(?:hangs?|stuck|stays? off|does not start|will not boot)\b.{0,200}?\b(?:hci|azure local|cluster) (?:node|host)s?\b.{0,60}?\b(?:is|are|was) (?:in )?(?:paused|suspended|maintenance mode|(?:failover cluster )?maintenance)\b",
            says="a machine was placed on a host that is paused",
            sample="AKS cluster creation hangs when an HCI node is in maintenance mode: the control plane VM will not boot and is stuck",
            near_miss="AKS cluster creation went on after the HCI node left maintenance mode",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bcluster node (?:'?[\w-]{1,60}'? )?is paused\b",
            says="a host of the failover cluster is paused",
            sample="The operation cannot be completed because cluster node 'hci02' is paused.",
            near_miss="The operation was completed on cluster node 'hci02'.",
            weight=TYPICAL,
            unless=r"(?i)readiness|health ?check|SolutionUpdate",
        ),
    ),
    why="MOC places a new machine on any host that it knows. A host that was suspended for maintenance takes no clustered roles, so the machine of the control plane or load balancer stays off there, and the creation or upgrade waits for it until it times out.",
    remedy=(
        Step(
            "See which hosts are paused.",
            run=("powershell", "-Command", "Get-ClusterNode | Select-Object Name, State"),
            risk=Risk.READ,
        ),
        Step(
            "Resume the host when its maintenance is over.",
            run=("powershell", "-Command", "Resume-ClusterNode -Name <host> -Failback Immediate"),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterNode wants Up for every host",
        ),
        Step(
            "Delete the cluster that hangs and create it again; create and upgrade clusters only while all hosts are Up.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues",),
    leads_to=("hybrid.akshci_failed",),
    ask="powershell -Command Get-ClusterNode",
)
