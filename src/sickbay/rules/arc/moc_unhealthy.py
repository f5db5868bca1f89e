from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The MOC services of Azure Local fail their known-issue checks",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"Validate (?P<what>(?:Failover Cluster Service Responsiveness|Missing MOC (?:Cloud|Node|Host) Agents|MOC Cloud Agent Running|MOC is on Latest Patch Version|Expired Certificates|MOC Nodes Not Active|NMC Nodes Sync with Cluster Nodes|Multiple MOC Cloud Agent Instances|NMC Powershell Not Stuck in Updating|Windows Event Log Running|Gallery Image Stuck In Deleting|Virtual Machine Stuck In Pending|Virtual Machine Management Service Responsiveness))(?: *: *| +| *\\n?)(?:Status ?: ?)?Failed",
            says="the check failed: {what}",
            sample="Validate MOC is on Latest Patch Version Failed MOC is not on the latest patch version. Current: 1.15.5.10626, Latest: 1.15.7.10719",
            near_miss="Validate MOC is on Latest Patch Version Passed",
        ),
    ),
    why="The checks of the Support.AksArc module name what is wrong with MOC and the services around it: cloud, node or host agents missing or stopped, expired certificates, an outdated patch version (MOC outdated), nodes out of sync, services that do not respond.",
    remedy=(
        Step(
            "Run the checks in a local PowerShell session.",
            run=(
                "powershell",
                "Test-SupportAksArcKnownIssues",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the matching remediation.",
            run=(
                "powershell",
                "Invoke-SupportAksArcRemediation",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Test-SupportAksArcKnownIssues wants Passed for every check",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/support-module",),
    leads_to=(
        "arc.kva_timeout",
        "arc.fabric_unreachable",
    ),
    ask="powershell Test-SupportAksArcKnownIssues",
)
