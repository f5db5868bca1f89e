from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network adapter for AKS Edge Essentials lacks an address, a subnet or a default gateway",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Failed to get nodeagent certificate ?: ?Not Found",
            says="the node agent was not found on the network",
            sample="Failed to get nodeagent certificate: Not Found",
            near_miss="Got nodeagent certificate",
            weight=TYPICAL,
        ),
    ),
    why="The deployment talks to its node over an adapter of this machine that is enabled and has address, subnet and default gateway. DHCP fills all three; set by hand, the gateway is often forgotten, and the node agent is not found.",
    remedy=(
        Step(
            "See the adapters.",
            run=(
                "powershell",
                "-Command",
                "Get-NetIPConfiguration",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set address, subnet and default gateway, then deploy again.",
            run=(
                "powershell",
                "-Command",
                "New-AksEdgeDeployment",
                "-JsonConfigFilePath",
                "aksedge-config.json",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-edge-troubleshoot-overview",),
    ask="powershell -Command Get-NetIPConfiguration",
)
