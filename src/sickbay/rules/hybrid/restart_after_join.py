from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Test-Cluster is refused on a machine (no administrative privileges), mostly for want of a restart",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)You do not have administrative privileges on the (?:server|cluster|node) \W?(?P<host>[\w.-]{1,80})",
            says="{host} refuses the caller",
            sample="Failed to execute Test-Cluster: You do not have administrative privileges on the server NODE2",
            near_miss="You have administrative privileges on the server NODE2",
            weight=TYPICAL,
        ),
    ),
    why="After a machine joins the domain it takes a restart until its Kerberos identity is in force; before that, every remote call of the deployment is answered like one without rights. Less often the account of the deployment really is no local administrator there.",
    remedy=(
        Step(
            "See whether the machine answers, and as whom.",
            run=("powershell", "-Command", "Invoke-Command -ComputerName <machine> { whoami }"),
            risk=Risk.READ,
        ),
        Step(
            "Restart the machine, over its management controller if remote calls fail.",
            run=("powershell", "-Command", "Restart-Computer -ComputerName <machine>"),
            risk=Risk.DISRUPTIVE,
            verify="Test-Cluster -Node <machine> runs",
        ),
        Step(
            "Still refused: see that the account is in the local Administrators of that machine.",
            run=("powershell", "-Command", "Get-LocalGroupMember Administrators"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/deploy/deployment-prep-active-directory",
        "https://learn.microsoft.com/powershell/module/failoverclusters/test-cluster",
    ),
    leads_to=("hybrid.update_step_failed", "hybrid.deployment_validation"),
    ask="powershell -Command Get-LocalGroupMember Administrators",
)
