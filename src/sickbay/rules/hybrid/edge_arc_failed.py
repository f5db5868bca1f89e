from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS Edge Essentials could not connect its cluster to Azure Arc",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)AksEdge\b.{0,40}?Connecting cluster to Azure Arc failed|Arc Connection failed with error|\bAksEdge\w*\b.{0,400}?Exception occurred while connecting to cluster|Exception occurred while connecting to cluster.{0,600}?\bAksEdge\b|Error: Azure Arc connections? failed|Error: No roles enabled for this account in this subscription|Initialize-(?:ArcIot|AideArc) failed|Azure Arc parameters not set or invalid",
            says="the connection to Azure Arc failed",
            sample='AksEdge - Connecting cluster to Azure Arc failed: Exception occurred while connecting to cluster - Exception calling "Add" with "2" argument(s): "An item with the same key has already been added."',
            near_miss="AksEdge - Connecting cluster to Azure Arc completed",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Connect-AksEdgeArc runs its own copy of the Arc onboarding with the values of aksedge-config.json: tenant, subscription, group, location and a service principal, or the login of this session. It fails when one of them is empty, when the account has no role in the subscription (Kubernetes Cluster - Azure Arc Onboarding), when the Az modules or Helm on this machine do not fit, when proxy variables are set twice (as PATH and Path), or when agents of an earlier try are left.",
    remedy=(
        Step(
            "Read the log of the connection.",
            run=("powershell", "-Command", "Get-AksEdgeLogs"),
            risk=Risk.READ,
        ),
        Step(
            "Remove what an earlier try left, check the Arc section of aksedge-config.json and the providers (Microsoft.HybridCompute, Kubernetes, KubernetesConfiguration, ExtendedLocation), then connect again from a fresh Windows PowerShell session.",
            run=(
                "powershell",
                "-Command",
                "Connect-AksEdgeArc -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az connectedk8s show wants connectivityStatus Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-edge-howto-connect-to-arc",),
    ask="powershell -Command Get-AksEdgeLogs",
)
