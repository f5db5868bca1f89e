from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Stack HCI could not be registered or its nodes not Arc-enabled: a node is down or has no way to Azure",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Failed to register\. Couldn't (?:generate self-signed|set and verify registration) certificate|Some clustered nodes couldn't be Arc-enabled|Exception occurred in registering nodes to Arc",
            says="nodes were not registered",
            sample="Failed to register. Couldn't generate self-signed certificate on node(s) N1,N2. Couldn't set and verify registration certificate on node(s) N1,N2. Make sure every clustered node is up and has Internet connectivity (at least outbound to Azure).",
            near_miss="Registering Clustered Scheduled task for Arc Installation",
            weight=TYPICAL,
        ),
    ),
    why="Registration (Register-AzStackHCI) works on every node of the cluster: each must be up, reachable over PowerShell remoting, and reach Azure on port 443. A node that is down, DNS or a firewall in between, or modules of Az.StackHCI that are too old end it for some or all nodes.",
    remedy=(
        Step(
            "See the state on each node.",
            run=(
                "powershell",
                "Get-AzureStackHCIArcIntegration",
            ),
            risk=Risk.READ,
        ),
        Step(
            "From each node, reach Azure.",
            run=(
                "Test-NetConnection",
                "management.azure.com",
                "-Port",
                "443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the module up to date and register again.",
            run=(
                "powershell",
                "Update-Module",
                "Az.StackHCI",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/deploy/troubleshoot-hci-registration",),
    ask="powershell Get-AzureStackHCIArcIntegration",
)
