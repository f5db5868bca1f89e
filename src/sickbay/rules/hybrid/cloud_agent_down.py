from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The MOC cloud agent does not run in the failover cluster, or cannot be reached",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bCloudAgent (?:is|might be) unreachable|(?:could not|cannot|unable to|failed to) (?:connect to|reach) (?:the )?(?:MOC |wssd)?cloud ?agent\b|Failed to start the cloud agent generic cluster service|'failed' or 'pending' states: 'MOC Cloud Agent Service'|Failed to start cluster resource \W{0,2}MOC Cloud Agent Service|Cloud ?agent service is not running|MOC Cloud Agent Service\W{1,6}(?:Offline|Failed)\b",
            says="the cloud agent is down or not reached",
            sample="Failed to start the cloud agent generic cluster service in failover cluster. The cluster resource group os in the 'failed' state. Resources in 'failed' or 'pending' states: 'MOC Cloud Agent Service'",
            near_miss="Started the cloud agent generic cluster service in failover cluster.",
        ),
        Signature(
            pattern=r"(?i)failed to (?:delete|create|get) group clustergroup-\S{1,80}:? rpc error: code = (?:DeadlineExceeded|Unavailable)|:65000: (?:wsarecv|read|write): .{0,40}?forcibly closed",
            says="the cloud agent does not answer its callers",
            sample="Error: unable to delete group clustergroup-spdb: failed to delete group clustergroup-spdb: rpc error: code = DeadlineExceeded desc = context deadline exceeded",
            near_miss="Deleted group clustergroup-spdb",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:New|Set|Get|Remove|Update)-(?:AksHci|Moc)\w*\b.{0,300}?rpc error: code = (?:DeadlineExceeded|Unavailable)",
            says="the cloud agent does not answer in time",
            sample="New-AksHciCluster : Error: rpc error: code = DeadlineExceeded desc = context deadline exceeded",
            near_miss="New-AksHciCluster : done",
            unless=r"(?i)certificate signed by unknown authority|Certificate has expired|authentication handshake",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Failed to start service '?[^']{0,40}wssdcloudagent|Service '?wssdcloudagent'? cannot be started|\bwssdcloudagent\b.{0,60}?(?:Stopped|stuck|(?:does not|doesn't|not|never) (?:start|running)|fails? to start|crash\w*)",
            says="the service of the cloud agent does not start",
            sample="Start-Service : Failed to start service 'wssdcloudagent'.",
            near_miss="Start-Service : service 'wssdcloudagent' is running",
            weight=TYPICAL,
        ),
    ),
    why="All of MOC goes through one cloud agent, a role of the failover cluster. It does not start when a configured path holds a blank, when its address or name is not in DNS or not in a cluster network, or when an address pool begins or ends one off its subnet (then it crashes); a stuck one answers nobody until it is restarted.",
    remedy=(
        Step(
            "See the role and its resources.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup -Name (Get-MocConfig).clusterRoleName | Get-ClusterResource",
            ),
            risk=Risk.READ,
        ),
        Step(
            "From every host, resolve its name and try its port.",
            run=(
                "Test-NetConnection",
                "<cloud-agent>",
                "-Port",
                "65000",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct paths with blanks, DNS or the address pool (Set-AksHciConfig, New-AksHciNetworkSetting), then restart the role.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup -Name (Get-MocConfig).clusterRoleName | Start-ClusterGroup",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the cluster group wants Online",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-networking",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
    ),
    leads_to=(
        "arc.fabric_unreachable",
        "hybrid.node_agents_down",
    ),
    ask="powershell -Command Get-ClusterGroup -Name (Get-MocConfig).clusterRoleName",
)
