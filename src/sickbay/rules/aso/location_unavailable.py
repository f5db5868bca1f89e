from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import ELSEWHERE, OTHERS, answer_says, answered, is_of, said, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def condition_says_not_here(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(ELSEWHERE, trouble.reason):
        return None
    return Match(
        f"{thing.object_kind} {thing.name} cannot be made in its location: {trouble.reason}",
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


_WORDS = r"(?i:location .{0,80}?does(?: not|n't) match|not (?:available|supported|offered|enabled|allowed|permitted) .{0,80}?(?:in|for|at) (?:the |this |your |selected )?(?:region|location)\b)"

RULE = Rule(
    title="The location does not exist, or is not available for this resource (LocationNotAvailableForResourceGroup)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_says_not_here,
        Signature(
            pattern=r"set of best available regions where your subscription can deploy|is not accepting creation of new \w|Provisioning is restricted in this region|\b(?:RegionNotSupported|\w+NotAllowedInLocation|(?:ACIConnector|GitOps|ExtensionManager)RegionNotAvailable)\b|\b(?:LocationNotAvailableForResource(?:Group|Type)|InvalidResourceGroupLocation|LocationRequired|RegionIsOfferRestricted|LocationIsOfferRestricted)\b(?:.{0,60}?location '(?P<location>[^']{1,60})')?|Invalid resource group location '(?P<wanted>[^']{1,60})'|The location is restricted from performing this operation|Subscriptions are restricted from provisioning in (?:this region|location)|The location property is required for this definition|The provided location '(?P<other>[^']{1,60})' is not available for resource",
            says="the location cannot be used",
            sample="LocationNotAvailableForResourceGroup: The provided location 'BadLocation' is not available for resource group. List of available regions is 'centralus,eastasia'.",
            near_miss="The provided location 'westeurope' is available for resource group.",
        ),
        Signature(
            pattern=told(ELSEWHERE),
            says="the location cannot be used ({code})",
            sample="thing1 False Warning RegionDoesNotAllowProvisioning Location 'East US' takes no new servers at this time.",
            near_miss="thing1 False Info Reconciling Location 'East US' takes no new servers at this time.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=said(_WORDS),
            says="it is not offered in this region",
            sample="kusto1 False Warning BadRequest SKU Standard_D11_v2 is not available for cluster creation in region westeurope",
            near_miss="kusto1 True Succeeded in region westeurope",
            weight=TYPICAL,
            unless=r"(?i)SkuNotAvailable|capacity|zone|redundan|registered|api-version",
        ),
        Signature(
            pattern=answered(ELSEWHERE),
            says="the location cannot be used ({code})",
            sample='the Azure API returned the following error: Status: "ProvisionNotSupportedForRegion" Code: "" Message: "Provisioning in requested region is not supported."',
            near_miss="The requested region is supported, and the server was made there.",
            weight=TYPICAL,
            unless=OTHERS + r"|(?i:database edition|max size)",
            vague=True,
            passes=True,
        ),
        Signature(
            pattern=answer_says(_WORDS),
            says="it is not offered in this region",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: BadRequest: SKU Teapot_v2 is not available for creation in region westeurope.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS + r"|(?i:SkuNotAvailable|capacity|zone|redundan|registered|api-version)",
            vague=True,
            passes=True,
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
    leads_to=(
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="az account list-locations --query [].name -o tsv",
)
