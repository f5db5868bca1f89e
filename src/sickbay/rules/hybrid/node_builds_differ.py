from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The nodes of the Azure Local cluster run different builds of the operating system or its image",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)Found different OS build numbers? between cluster nodes|Expected (?P<node>[\w.-]+) to be on OS Build Number (?P<wanted>[\d.]+) but found (?P<found>[\d.]*\d)|OS Image Version on the node does not match|\bUpdateOsBuildNumberInEce' of Role",
            says="builds differ[: {node} is on {found} in place of {wanted}]",
            sample="Type 'UpdateOsBuildNumberInEce' of Role 'OsUpdate' raised an exception: Expected NODE02 to be on OS Build Number 10.0.25398.1128 but found 10.0.25398.1085.",
            near_miss="All cluster nodes are on OS Build Number 10.0.25398.1128",
            weight=TYPICAL,
        ),
    ),
    why="A solution update and the adding of a node want all machines on the same build. They differ when updates of Windows were installed outside the solution update on some of them only, when a run of Cluster-Aware Updating left nodes out, or when a new machine was set up from a newer or older image than the cluster runs.",
    remedy=(
        Step(
            "See the build of every node.",
            run=(
                "powershell",
                "-Command",
                "Invoke-Command (Get-ClusterNode).Name { $v = Get-ItemProperty 'HKLM:\\Software\\Microsoft\\Windows NT\\CurrentVersion'; \"$env:COMPUTERNAME $($v.CurrentBuildNumber).$($v.UBR)\" }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For a new machine, compare HKLM:\\SYSTEM\\CurrentControlSet\\Services\\ComposedBuildInfo\\Parameters with that of a node, and install it from the image of the cluster's release.",
        ),
        Step(
            "Bring the nodes that are behind to the build of the others with the same cumulative update, one after the other, then resume the update.",
            run=("powershell", "-Command", "Get-SolutionUpdate | Start-SolutionUpdate"),
            risk=Risk.DISRUPTIVE,
            verify="every node shows the same build",
        ),
    ),
    docs=("https://github.com/Azure/AzureLocal-Supportability/tree/main/TSG/Update",),
    leads_to=("hybrid.update_step_failed",),
    ask="powershell -Command Invoke-Command (Get-ClusterNode).Name { [Environment]::OSVersion.Version }",
)
