from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The location does not exist, or is not available for this resource (LocationNotAvailableForResourceGroup)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?:LocationNotAvailableForResource(?:Group|Type)|InvalidResourceGroupLocation|LocationRequired|RegionIsOfferRestricted)\b(?:.{0,60}?location '(?P<location>[^']{1,60})')?|Invalid resource group location '(?P<wanted>[^']{1,60})'|Subscriptions are restricted from provisioning in (?:this region|location)|The location property is required for this definition|The provided location '(?P<other>[^']{1,60})' is not available for resource",
            says="the location {location} cannot be used",
            sample="LocationNotAvailableForResourceGroup: The provided location 'BadLocation' is not available for resource group. List of available regions is 'centralus,eastasia'.",
            near_miss="The provided location 'westeurope' is available for resource group.",
        ),
    ),
    why="spec.location is not set (LocationRequired), misspelt, not offered to the subscription (RegionIsOfferRestricted), or differs from the location in which a resource group of this name already exists (InvalidResourceGroupLocation). A group cannot be moved to another location.",
    remedy=(
        Step(
            "List the locations that the subscription may use.",
            run=(
                "az",
                "account",
                "list-locations",
                "--query",
                "[].name",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct spec.location; for a group that exists, use its own location.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-invalid-name-segments",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=("aso.not_ready",),
    ask="az account list-locations --query [].name -o tsv",
)
