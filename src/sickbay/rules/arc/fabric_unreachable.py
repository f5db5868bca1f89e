from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The appliance cannot reach vCenter or the MOC cloud agent of its private cloud (ports 443, 55000, 65000)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Not able to connect to (?P<endpoint>https?://[^ ]+:(?:55000|65000|50000))\b.{0,300}?(?:i/o timeout|connection refused|no route to host|deadline exceeded|connection timed out)|dial tcp \S{3,60}:(?:55000|65000): (?:connect: |i/o timeout|connectex)|TCP connect to \(?[\w.-]+ : (?:55000|65000)\)? failed",
            says="the cloud agent of the private cloud is not reached",
            sample='CloudAgentConnectivityError: Not able to connect to http://cloudagent.contoso.com:55000. Error returned: action failed after 5 attempts: Get "http://cloudagent.contoso.com:55000": dial tcp 10.1.2.3:55000: i/o timeout',
            near_miss="Connected to http://cloudagent.contoso.com:55000",
        ),
        Signature(
            pattern=r"(?i)Context timed out during phase[^A-Za-z0-9]{0,8}WaitingForCluster\b",
            says="the cluster inside the appliance was never initialised",
            sample="Context timed out during phase 'WaitingForCluster'",
            near_miss="Context timed out during phase 'WaitingForAPIServer'",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)https?://(?P<vcenter>[\w.-]+)/sdk\W{0,3}:? ?dial tcp \S{3,60}:443: (?:i/o timeout|connect: (?:connection refused|no route to host|connection timed out)|connectex)",
            says="vCenter {vcenter} is not reached",
            sample='failed to create session: Post "https://vc01.contoso.com/sdk": dial tcp 192.0.2.5:443: i/o timeout',
            near_miss='failed to create session: Post "https://vc01.contoso.com/sdk": 503 Service Unavailable',
            weight=TYPICAL,
            unless=r"(?i)vsphere sdk client",
        ),
        Signature(
            pattern=r"(?i)(?:creation|deletion|operation) failed because (?:MOC|it) is unreachable|aksarc-moc-unreachable|\bMOC is unreachable",
            says="the MOC cloud agent is unreachable",
            sample="AksArc creation failed because MOC is unreachable. Read aka.ms/aksarc-moc-unreachable for more information.",
            near_miss="AksArc creation completed because MOC is reachable",
        ),
    ),
    why="The appliance VM and its control plane IP must open connections to vCenter on 443, or on Azure Local to the MOC cloud agent on 55000 and 65000. When these are closed the cluster inside the appliance never initialises, and the deployment ends in a KVA timeout (Context timed out during phase WaitingForCluster).",
    remedy=(
        Step(
            "Try the endpoint from the network of the appliance.",
            run=(
                "curl",
                "-kv",
                "https://<vcenter-or-cloud-agent>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Open 443 to vCenter, or 55000 and 65000 to the MOC cloud agent, from the appliance VM IPs and the control plane IP; on Azure Local see that the cloud agent runs.",
            run=(
                "powershell",
                "Get-ClusterGroup",
                "-Name",
                "ca-*",
            ),
            risk=Risk.READ,
            verify="the cluster group of the cloud agent wants Online",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.kva_timeout",),
    ask="Test-NetConnection <vcenter> -Port 443; Test-NetConnection <cloud-agent> -Port 55000; Test-NetConnection <cloud-agent> -Port 65000",
)
