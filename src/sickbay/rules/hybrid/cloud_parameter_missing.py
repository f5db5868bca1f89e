from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The orchestrator of Azure Local lacks a parameter and passes its placeholder on ([DEPLOYADLESS])",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"Cannot validate argument on parameter '(?P<parameter>\w+)'\.? The argument \W{0,2}\[[A-Z_]{4,60}\]\W{0,2} does not belong to the set",
            says="the parameter {parameter} was never filled in",
            sample='Cannot validate argument on parameter \'DeployADLess\'. The argument "[DEPLOYADLESS]" does not belong to the set "true,false," specified by the ValidateSet attribute.',
            near_miss='Cannot validate argument on parameter \'Mode\'. The argument "fast" does not belong to the set "slow,safe" specified by the ValidateSet attribute.',
            weight=TYPICAL,
        ),
    ),
    why="The steps of an update take their arguments from the cloud parameters that the first deployment wrote down. A cluster that was deployed before a parameter existed (DeployADLess came with 2408) has no entry for it, and newer scripts get the name in square brackets in place of a value.",
    remedy=(
        Step(
            "See which parameters of that category the cluster has.",
            run=(
                "powershell",
                "-Command",
                "(Create-ECEClusterServiceClient).GetCloudParameters().GetAwaiter().GetResult().CloudDefinitionAsXmlString",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the missing parameter with the script of the known issue (for DeployADLess: category Domain, value false), then resume the update.",
            run=("powershell", "-Command", "Get-SolutionUpdate | Start-SolutionUpdate"),
            risk=Risk.DISRUPTIVE,
            verify="Get-SolutionUpdate wants State Installed",
        ),
    ),
    docs=(
        "https://github.com/Azure/AzureLocal-Supportability/tree/main/TSG/Update",
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
    ),
    ask="powershell -Command Get-SolutionUpdate | Get-SolutionUpdateRun",
    leads_to=("hybrid.update_step_failed",),
)
