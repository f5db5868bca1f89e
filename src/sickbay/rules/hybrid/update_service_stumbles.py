from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The update service of Azure Local answers with an error of its own (Get-SolutionUpdate), not the update",
    severity=Severity.WARNING,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Get-SolutionUpdate(?:Environment|Run)? ?: .{0,200}?(?:Object reference not set|NullReferenceException|Gateway ?Timeout)|NullReferenceException,Microsoft\.AzureStack\.Lcm",
            says="the cmdlet broke off",
            sample="Get-SolutionUpdateEnvironment : Object reference not set to an instance of an object.",
            near_miss="Get-SolutionUpdateEnvironment HealthState : Success",
            weight=TYPICAL,
        ),
    ),
    why="The cmdlets ask the update service, and that the orchestrator. Under many requests at once a request between them can fail, and builds 2505 to 2604 pass that on as NullReferenceException; an overloaded service ends in GatewayTimeout. The update itself mostly goes on meanwhile.",
    remedy=(
        Step(
            "Ask again after a minute or two.",
            run=(
                "powershell",
                "-Command",
                "Get-SolutionUpdate | Format-Table Version,State,UpdateStateProperties",
            ),
            risk=Risk.READ,
            verify="Get-SolutionUpdate names a state",
        ),
        Step(
            "If it does not answer for several minutes or the state stands still, move the update service to another node.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup 'Azure Stack HCI Update Service Cluster Group' | Move-ClusterGroup",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step("Update to 2605 or later, where it is mended."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
        "https://github.com/Azure/AzureLocal-Supportability/tree/main/TSG/Update",
    ),
    ask="powershell -Command Get-SolutionUpdate",
)
