from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registration of Azure Stack HCI (Azure Local) with Azure failed: no way to Azure, or no right to register",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Some clustered nodes couldn't be Arc-enabled|Exception occurred in registering nodes to Arc|Couldn't (?:generate self-signed certificate|set and verify registration certificate) on node|Couldn't register Azure (?:Stack HCI|Local)|Failed to register\. (?:Couldn't|Unable|Error|The)|Register-AzStackHCI\b.{0,300}?(?:failed|error|exception|denied|not authorized)|\bHCI Registration failed\b|Failed to assign roles to service principal with object Id|Type 'RegisterStamptoAzure' of Role '\w+' raised an exception|Cluster is already registered, Unregister cluster|(?:Azure Stack HCI|Azure Local)\b.{0,40}?is not registered (?:with|to|in) Azure",
            says="the registration failed",
            sample="Failed to register. Couldn't generate self-signed certificate on node(s) HOST1,HOST2. Make sure every clustered node is up and has Internet connectivity (at least outbound to Azure).",
            near_miss="Registered. The certificate on node(s) HOST1,HOST2 was set",
            unless=r"(?i)AADSTS\d|AuthorizationFailed",
            weight=TYPICAL,
        ),
    ),
    why="Register-AzStackHCI makes a resource in Azure, gives the cluster an identity and puts a certificate on every node. It fails when a node is down or has no way out to Azure, when the clock or TLS inspection breaks the certificate, when the account lacks roles or the providers Microsoft.AzureStackHCI and Microsoft.HybridCompute are not registered, or when an old registration was left behind.",
    remedy=(
        Step(
            "See the registration and the last log.",
            run=(
                "powershell",
                "-Command",
                "Get-AzureStackHCI; Get-ChildItem C:\\Windows\\Temp\\RegisterHCI*.log | Sort-Object LastWriteTime | Select-Object -Last 1",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Open the way of every node to Azure, give the account its role, remove a stale registration with Unregister-AzStackHCI, and register again.",
            run=(
                "powershell",
                "-Command",
                "Register-AzStackHCI",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-AzureStackHCI wants RegistrationStatus Registered and ConnectionStatus Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/deploy/troubleshoot-hci-registration",),
    ask="powershell -Command Get-AzureStackHCI",
    leads_to=("hybrid.out_of_policy", "hybrid.update_step_failed"),
)
