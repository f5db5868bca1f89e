from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cost analysis is not offered in the region of the cluster (CostAnalysisNotEnabledInRegion)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"CostAnalysisNotEnabledInRegion|(?i:cost analysis .{0,60}?not (?:enabled|available|supported) in (?:this |the )?region)",
            says="the region does not offer cost analysis",
            sample="CostAnalysisNotEnabledInRegion: Cost analysis is not enabled in region qatarcentral.",
            near_miss="Cost analysis is enabled in region westeurope.",
        ),
    ),
    why="The add-on is rolled out region by region, and this region does not have it.",
    remedy=(
        Step("Do without the add-on in this region, or see costs by node pool in Cost Management."),
        Step(
            "See the region of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "location",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/aks-cost-analysis-add-on-issues",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
