from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS Edge Essentials finds no free private subnet for its internal switch: all overlap or answer",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)All potential subnets '(?P<first>[\d.]+)' to '(?P<last>[\d.]+)' overlap with existing subnets|Validating subnet's gateway IP '(?P<gateway>[\d.]+)' is free.{0,200}?(?:is not free|do not seem to be available)",
            says="[no subnet from {first} to {last} is free][{gateway} is taken]",
            sample="All potential subnets '192.168.0.0' to '192.168.255.0' overlap with existing subnets of the local interfaces. (AksEdge.psm1:3912)",
            near_miss="Identified candidate for private subnet: '192.168.7.0'. Validating subnet's gateway IP '192.168.7.1' is free...",
            weight=TYPICAL,
        ),
    ),
    why="A single machine cluster makes an internal switch with a /24 of its own out of 192.168.0.0/16 and pings the gateway of each candidate first. None is left when the networks of the host cover the range, or when a router, VPN or firewall answers for addresses that nobody has (proxy ARP), so that each looks taken.",
    remedy=(
        Step(
            "See the networks of the host, and whether an address that nobody uses answers.",
            run=("powershell", "-Command", "Get-NetIPAddress; Test-Connection 192.168.255.1"),
            risk=Risk.READ,
        ),
        Step(
            "Name a free /24 in Network.Ip4AddressPrefix of the configuration; where a device answers for all, set Network.SkipAddressFreeCheck to true or disconnect the VPN.",
        ),
        Step(
            "Deploy again.",
            run=(
                "powershell",
                "-Command",
                "New-AksEdgeDeployment -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-concept-networking",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-deployment-config-json",
    ),
    ask="powershell -Command Get-NetIPAddress",
    leads_to=("hybrid.edge_failed", "hybrid.edge_node_failed"),
)
