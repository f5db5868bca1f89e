from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import MISSING, OTHERS, answered, is_of, said, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

# These have rules of their own.
_OWN = frozenset(
    f"{word}NotFound"
    for word in "ConfigMap Secret Reference AzureResource Principal Subscription ParentResource ResourceGroup Resource".split()
)


@each(AsoObject, weight=TYPICAL)
def condition_says_it_is_missing(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(MISSING, trouble.reason) or trouble.reason in _OWN:
        return None
    return Match(
        f"{thing.object_kind} {thing.name} names something that Azure does not find: {trouble.reason}",
        facts={"missing": "<missing>"},
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="An Azure resource that the request refers to does not exist yet (NotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_says_it_is_missing,
        Signature(
            pattern=r"\b(?P<code>ManagedEnvironmentNotFound|NetworkSecurityGroupNotFoundForFlowLog|WorkspaceNotFound|DependentResourceNotFound|AzfwAddToFirewallPolicyFailed)\b(?:.{0,200}?(?P<missing>/subscriptions/[\w.()/-]*\w))?",
            says="{missing} does not exist ({code})",
            sample="ManagedEnvironmentNotFound: Environment /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.App/managedEnvironments/env1 was not found.",
            near_miss="Environment env1 was found and is used",
        ),
        Signature(
            pattern=r"\bResource (?P<missing>/subscriptions/[\w.()/-]*\w) not found|Destination endpoint not found\. Resource details: resourceId: (?P<endpoint>/subscriptions/[\w.()/-]*\w)|Cannot find \w+ with name (?P<named>[\w.-]+)|The entity was not found in this Azure location|\bDatabase Account (?P<account>[\w-]+) does not exist|\bOwner resource does not exist|\bSubscription [\w-]{8,40} does not have the server '?(?P<server>[\w.-]+)|\bEnvironment (?P<environment>/subscriptions/[\w.()/-]*\w) was not found",
            says="{missing} does not exist",
            sample="NotFound: Resource /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.Network/networkInterfaces/nic1 not found.",
            near_miss="Resource /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.Network/networkInterfaces/nic1 found.",
        ),
        Signature(
            pattern=r"(?:Reason: |\bFalse (?:Warning|Error) )NotFound\b(?:.{0,200}?(?P<missing>/subscriptions/[\w.()/-]*\w))?",
            says="Azure does not find what the request names: {missing}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: NotFound, Severity: Warning, RetryClassification: RetrySlow, Cause: The entity of the disk was not found." logger="compute_image" name="image1" namespace="default"',
            near_miss="Reason: Found, Severity: Info",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?:" + told(MISSING) + r")(?P<missing>)",
            says="something that the request names does not exist in Azure ({code})",
            sample="thing1 False Warning RegistryNotFound The registry shopacr could not be used.",
            near_miss="thing1 False Info Reconciling The registry shopacr could not be used.",
            weight=TYPICAL,
            unless=r"\bStatus: AccountNotFound\b|\b(?:ConfigMap|Secret|Reference|AzureResource|Principal|Subscription|ParentResource|ResourceGroup|Resource)NotFound\b",
            passes=True,
        ),
        Signature(
            pattern=r"(?:"
            + said(
                r"(?i:does(?:n't| not) exist|(?:could|can) ?not be found|cannot find|was not found|were not found|is not found|couldn't find|unable to find|no longer exists)"
            )
            + r")(?P<missing>)",
            says="something that the request names does not exist",
            sample="rule1 False Warning BadRequest The scope of the rule does not exist.",
            near_miss="rule1 True Succeeded",
            weight=TYPICAL,
            unless=r"(?i)Status: AccountNotFound|ConfigMapNotFound|SecretNotFound|ReferenceNotFound|WaitingForOwner|in the directory|AAD tenant|Principal|Owner|subscription .{0,60}?(?:not found|could not)|AADSTS|credential|resource provider|identity record|couldn't resolve|Progress is blocked|no such host|secret|config ?map|policy skip|AzureResourceNotFound|webhook|CRD|matches for kind|federated|server could not find",
        ),
        Signature(
            pattern=r"(?:" + answered(MISSING) + r")(?P<missing>)",
            says="something that the request names does not exist in Azure ({code})",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: TeapotNotFound: The teapot could not be used.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS,
            vague=True,
            passes=True,
        ),
    ),
    why="The request names another resource that Azure does not find, so that the referenced resource must be created first or its name corrected. Services have codes of their own for it: ManagedEnvironmentNotFound for the managed environment of a container app, NetworkSecurityGroupNotFoundForFlowLog for the NSG of a flow log, WorkspaceNotFound for a Log Analytics workspace, Endpoint validation for the destination of an Event Grid subscription, InvalidResourceReference in networks.",
    remedy=(
        Step(
            "See whether it exists.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{missing}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create it first, or correct its name. In ASO, refer to it by group, kind and name instead of armId: then ASO itself waits until it is there.",
            risk=Risk.SAFE,
            verify="az resource show --ids {missing} --query properties.provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=(
        "aks.invalid_resource_reference",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.invalid_value",
    ),
    ask="az resource show --ids {missing}",
)
