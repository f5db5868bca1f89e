from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The MOC node agents (wssdagent) do not run on the hosts, or have not joined the cloud agent",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Failed to start service '?[^']{0,40}\(?wssdagent|Service '?wssdagent'? cannot be started|\bwssdagent +(?:Stopped|StartPending|Starting)\b|\b(?:Stopped|StartPending) +wssdagent\b",
            says="the node agent does not start",
            sample="Failed to start service 'WSSD Agent Service (wssdagent)'.",
            near_miss="Started service 'WSSD Agent Service (wssdagent)'.",
        ),
        Signature(
            pattern=r"(?i)doesn't expose any nodes to create\b|Nodes have not reached (?:the )?active state",
            says="no host is active for new machines",
            sample="failed to create network interface lb-nic in resource group clustergroup-test: rpc error: code = Unknown desc = Location 'MocLocation' doesn't expose any nodes to create VNIC 'lb-nic' on: OutOfCapacity",
            near_miss="Location 'MocLocation' exposes 4 nodes to create VNIC 'lb-nic' on",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bwssdagent\b.{0,60}?(?:stuck|hangs?|hung|(?:does not|doesn't|not|never) (?:start|running)|fails? to start|in (?:the )?starting)\b",
            says="the node agent does not start",
            sample="wssdagent stuck in starting",
            near_miss="wssdagent is running",
            unless=r"(?i)Running\b",
            weight=TYPICAL,
        ),
    ),
    why="MOC makes virtual machines and their network cards through an agent on every host (wssdagent). After an update of the host, or when a host cannot resolve or reach the cloud agent on port 65000, the agents stay down, and MOC has no node left to place anything on: OutOfCapacity, although memory is free.",
    remedy=(
        Step(
            "See the agent on every host.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Get-Service wssdagent -ComputerName $_ }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start it where it is stopped.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Invoke-Command -ComputerName $_ { Start-Service wssdagent } }",
            ),
            risk=Risk.SAFE,
            verify="Get-MocNode -location MocLocation wants Active for every node",
        ),
        Step(
            "If it does not join, resolve and reach the cloud agent from that host: its name in DNS, port 65000 without the proxy; then repair it.",
            run=(
                "powershell",
                "-Command",
                "Repair-Moc",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
    ),
    ask="powershell -Command Get-MocNode -location MocLocation",
)
