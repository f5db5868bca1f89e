from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Linux or Windows node of AKS Edge Essentials was not created, or did not become ready",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)(?:Linux|Windows) node not in Ready state, or cluster could not be reached|New-Node failed with error|Creation of (?:Linux|Windows) node failed|(?:Starting|Initializing) kubernetes runtime in (?:Linux|Windows) node failed|-[lw]edge\) timed out|(?:existing|previous) (?:AksEdge )?deployment (?:was |is )?(?:found|present|exists)|New-AksEdgeDeployment\b.{0,200}?(?:failed|timed out)|Failed to determine k[38]s control plane endpoint|Timeout while waiting for node to reach condition|nodectl(?:\.exe)? +compute vm (?:start|create)\b.{0,120}?failed to execute",
            says="the node of the deployment did not come up",
            sample="Error: Linux node not in Ready state, or cluster could not be reached from host side at line 3140",
            near_miss="Linux node is in Ready state",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)rpc error: code = \w+ desc = Endpoint Name (?P<endpoint>[\w.-]+) not found",
            says="the node's endpoint {endpoint} is gone from the host network",
            sample="Error: rpc error: code = Unknown desc = Endpoint Name Interface not found]",
            near_miss="Endpoint Name Interface was found",
            weight=TYPICAL,
        ),
    ),
    why="New-AksEdgeDeployment makes a virtual machine, waits for SSH and then for Kubernetes in it. It gives up when the machine gets no address that the host reaches: addresses of the deployment lie in a range that is used already or off the switch, a VPN or firewall filters the internal switch, a worker cannot reach its control plane, or a removed deployment left its network behind. After a restart of the host its endpoint in the host network can be gone, too, and the machine does not start.",
    remedy=(
        Step(
            "Test the network values of the configuration.",
            run=(
                "powershell",
                "-Command",
                "Test-AksEdgeNetworkParameters -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Collect the logs and read why the node did not start.",
            run=("powershell", "-Command", "Get-AksEdgeLogs"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the addresses, remove what is left, restart the host and deploy again.",
            run=("powershell", "-Command", "Remove-AksEdgeDeployment -Force"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-troubleshoot-overview",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-concept-networking",
    ),
    ask="powershell -Command Get-AksEdgeLogs",
)
