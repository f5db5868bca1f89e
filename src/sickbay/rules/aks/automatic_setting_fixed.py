from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="AKS Automatic does not allow this setting: what it manages itself is fixed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAKSAutomaticSKU\w*Error\b|Managed cluster .?Automatic.? (?:SKU )?should (?:enable|use|only|not|have|disable)|(?:AKS Automatic|Automatic.? (?:cluster|sku)|sku .?Automatic.?|cluster'? with Automatic)\b.{0,160}?(?:must (?:have|be|use)|does(?: not|n't) (?:allow|support)|not (?:allowed|supported)|cannot|can't|only (?:supports?|allows?)|requires?|is required)|(?:not (?:allowed|supported|permitted)|cannot be (?:changed|disabled|set|modified|used)|must be).{0,80}?(?:for|on|in|with) (?:an? )?(?:AKS )?Automatic (?:cluster|sku)|\bAutomatic(?:Cluster|SKU)?\w*(?:NotAllowed|NotSupported|Invalid|Required)\w*\b",
            says="AKS Automatic refuses the setting",
            sample="(BadRequest) AKS Automatic does not allow property disableLocalAccounts to be false.",
            near_miss="AKS Automatic cluster shop was created",
            weight=TYPICAL,
            unless=r"(?i)(?:available|supported) in (?:this |the )?(?:region|location)|taint|quota",
        ),
    ),
    why="An Automatic cluster comes with node auto-provisioning, Azure CNI overlay with Cilium, Azure RBAC without local accounts, automatic upgrades, deployment safeguards and node resource group lockdown. These cannot be turned off or chosen; a request with another value is refused.",
    remedy=(
        Step("Leave the setting out of the request, or give the value that Automatic has."),
        Step(
            "Where it must differ, change the cluster to the Base SKU, or make one.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--sku",
                "base",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query sku.name wants Base",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/intro-aks-automatic",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query sku -o json",
)
