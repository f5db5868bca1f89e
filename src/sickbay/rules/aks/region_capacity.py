from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The region takes no new AKS clusters at the moment (AksCapacityHeavyUsage)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:(?:Resources|Region|(?:AZ)?Underlays|PrivateCluster(?:V2)?(?:Capacity|WithAZ))OverConstrained|Region(?:Creates|Updates)Disabled)\b|\b(?:AksCapacityHeavyUsage|AKSCapacityError)\b|\bUnderlayNotFound\b|unable to provision an AKS cluster in [\w<>-]+, due to an operational threshold|AKS is experiencing heavy usage in region (?P<location>[\w<>-]+)",
            says="AKS has no spare capacity in the region",
            sample="Code: AksCapacityHeavyUsage Message: AKS is experiencing heavy usage in region westeurope. We are working on adding new capacity.",
            near_miss="AKS is operating normally in region westeurope",
        ),
    ),
    why="The control planes of new clusters need capacity that AKS itself keeps in a region, and it is used up by heavy usage. Existing clusters are not affected.",
    remedy=(
        Step("Create the cluster in another region, or try again later."),
        Step(
            "Where the region is a must, open a support request that names subscription, region and number of clusters."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/akscapacityheavyusage-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
