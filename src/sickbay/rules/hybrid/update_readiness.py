from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The readiness (health) check before an update of Azure Local failed",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Update readiness check(?:s)? (?:has |have )?failed|Error reading readiness results|\bHealthCheckResult\b.{0,200}?\b(?:Critical|FAILURE)\b|\bHealthState\W{1,12}(?:Failure|Error)\b|(?:Start|Invoke)-SolutionUpdate\w*\b.{0,300}?(?:health ?check|readiness|precheck)\w*.{0,60}?(?:failed|critical)|\b(?:HealthCheckFailed|PreparationFailed)\b.{0,200}?(?:solution|update)|SolutionUpdate\b.{0,200}?\b(?:HealthCheckFailed|PreparationFailed)\b",
            says="the update is not ready or failed",
            sample="Start-SolutionUpdate : Update readiness check failed. HealthCheckResult: Critical - Cluster node HCI-N3 is Paused",
            near_miss="Get-SolutionUpdateEnvironment HealthState : Success",
            weight=TYPICAL,
        ),
    ),
    why="Azure Local checks cluster, nodes, storage, connectivity and the resource bridge before a solution update. A critical result - a node that is paused or down, unhealthy disks, a failed validator - blocks the update until it is mended.",
    remedy=(
        Step(
            "Read the failed results.",
            run=(
                "powershell",
                "-Command",
                "(Get-SolutionUpdateEnvironment).HealthCheckResult | Where-Object Status -ne SUCCESS | Format-List Title,Status,Severity,Description,Remediation",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what they name, run the check again and resume the update.",
            run=(
                "powershell",
                "-Command",
                "Invoke-SolutionUpdatePrecheck -SystemHealth",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-SolutionUpdateEnvironment wants HealthState Success",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
    ask="powershell -Command Get-SolutionUpdateEnvironment",
    vague=True,
)
