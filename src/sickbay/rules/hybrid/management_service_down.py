from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cloud management service of Azure Local does not run on a node (port 42545, HciSvc)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)(?:actively refused it|did not properly respond after a period of time|Unable to connect to the remote server).{0,60}?(?P<host>[\w.:-]+?):4254[0-9]\b|RegisterCloudManagementClusterExtensions\b.{0,200}?raised an exception|HciSvc\.exe.{0,400}?(?:AccessViolationException|unhandled exception|0xc0000005)|Clustered role '(?:Azure Stack HCI )?Cloud Management' has exceeded|clustered role '(?:Azure Stack HCI )?Cloud Management' completely online|HciCloudManagementSvc service doesn't exist|HciSvc .{0,40}?(?:Stopped|terminated unexpectedly)",
            says="the cloud management service does not answer",
            sample="Exception occurred in Get-ClusterExtension: System.Net.WebException: Unable to connect to the remote server ---> System.Net.Sockets.SocketException: No connection could be made because the target machine actively refused it 10.1.0.11:42545",
            near_miss="the target machine actively refused it 10.1.0.11:443",
            weight=TYPICAL,
        ),
    ),
    why="Azure Local registers its extensions through the role Cloud Management, which stands on the host service HciSvc of the nodes. After a rotation of its keys HciSvc can crash until the registration is synchronised, and then nothing listens on the port.",
    remedy=(
        Step(
            "See the service on every node.",
            run=(
                "powershell",
                "-Command",
                "Invoke-Command (Get-ClusterNode) { Get-Service HciSvc }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start it where it is stopped, synchronise the registration, and bring the role Cloud Management online.",
            run=("powershell", "-Command", "Sync-AzureStackHCI"),
            risk=Risk.SAFE,
            verify="Get-ClusterGroup -Name 'Cloud Management' wants Online",
        ),
        Step("Repeat the update."),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
    leads_to=("hybrid.update_step_failed",),
    ask="powershell -Command Invoke-Command (Get-ClusterNode) { Get-Service HciSvc }",
)
