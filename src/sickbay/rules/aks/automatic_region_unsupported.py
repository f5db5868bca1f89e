from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS Automatic is not offered in this region",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Automatic SKU (?:is )?(?:not|currently not) (?:supported|available) in (?:this region|region|location)|AKS Automatic (?:is )?not (?:supported|available) in (?:this )?(?:region|location)",
            says="AKS Automatic is not available in the region",
            sample="(BadRequest) Managed cluster Automatic SKU is not supported in this region.",
            near_miss="Managed cluster Automatic SKU is supported in this region",
        ),
    ),
    why="The Automatic SKU of AKS needs features of the region (API server VNet integration, node auto-provisioning) that are not everywhere yet.",
    remedy=(
        Step(
            "Create the cluster in a region with AKS Automatic, or with the Base SKU here.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--sku",
                "automatic",
                "-l",
                "<region>",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/intro-aks-automatic",),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
