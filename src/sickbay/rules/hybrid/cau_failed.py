from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Cluster-Aware Updating (CAU) run of Azure Local failed or was canceled",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)\bCAU run (?:has )?(?:failed|was cancell?ed)|\bSBE-CAU-RUNNING-AFTER-DONE\b|Exceeded max CAU retries|Previous CAU run status was (?:Cancell?ed|Failed)|latest cluster update status is '(?:Failed|PartiallyFailed|Cancell?ed)'|Cluster-Aware Updating\b.{0,120}?(?:failed|cancell?ed)|Failed to run a hotfix installer|Cannot start hotfix installer on cluster node|\bMaxFailedNodesExceeded\b|Type 'CauPost(?:Version)?Check' of Role|Current node platform version is \W?(?P<found>[\d.]{7,20})\W{1,3}but expect version",
            says="the run failed[: a node is still on {found}]",
            sample="CAU Run failed. Previous CAU run status was Canceled. Exceeded max CAU retries (2).",
            near_miss="The latest cluster update status is 'Succeeded'.",
            weight=TYPICAL,
        ),
    ),
    why="Updates of the host operating system are applied node by node by Cluster-Aware Updating. A run ends as Failed or Canceled when a node does not come back in time, storage is not healthy or another run is left over; the reason stands in the report of the first run, not in that of the retries.",
    remedy=(
        Step(
            "Read the reports, the oldest first.",
            run=(
                "powershell",
                "-Command",
                "Get-CauReport -Detailed | Select-Object -ExpandProperty ClusterResult",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the first failed run names; after 2604 also remove CloudMedia\\MsuHostUpdate\\Staged\\Metadata\\cauFailureInfo.txt on the infrastructure volume, then resume the update.",
            run=(
                "powershell",
                "-Command",
                "Get-SolutionUpdate | Where-Object State -eq InstallationFailed | Start-SolutionUpdate",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-CauRun wants RunNotInProgress and the report Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
    ask="powershell -Command Get-CauReport -Last -Detailed",
    leads_to=("hybrid.update_step_failed",),
)
