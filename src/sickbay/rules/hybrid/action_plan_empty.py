from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resumed update of Azure Local fails at once: an empty action plan was handed to the orchestrator",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)(?:AdditionalInformation|action ?plan)\b.{0,200}?does not contain the mandatory",
            says="the action plan lacks a mandatory part",
            sample="Status : Failed AdditionalInformation : The XML of the action plan does not contain the mandatory element",
            near_miss="Status : Running AdditionalInformation : The action plan contains 12 steps",
            weight=TYPICAL,
        ),
    ),
    why="When a failed update is resumed, the update service sends the orchestrator the plan it has in its cache. In builds from 2508 on that can be an empty one, which is refused as invalid XML, and every further resume sends the same.",
    remedy=(
        Step(
            "See the last plan of the update.",
            run=(
                "powershell",
                "-Command",
                "Get-ActionPlanInstances | Sort-Object LastModifiedDateTime | Select-Object -Last 1",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the empty plans and clear the cache of the update service with the script of the known issue, restart the service and resume.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup *update* | Stop-ClusterGroup; Get-ClusterGroup *update* | Start-ClusterGroup; Get-SolutionUpdate | Where-Object State -eq InstallationFailed | Start-SolutionUpdate",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-SolutionUpdate wants State Installing",
        ),
    ),
    docs=(
        "https://github.com/Azure/AzureLocal-Supportability/tree/main/TSG/Update",
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
    ),
    ask="powershell -Command Get-ActionPlanInstances | Sort-Object LastModifiedDateTime | Select-Object -Last 1",
    leads_to=("hybrid.update_step_failed",),
)
