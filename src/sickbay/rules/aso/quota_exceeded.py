from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import EXHAUSTED, OTHERS, answered, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def condition_names_a_quota(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    reason = (thing.trouble and thing.trouble.reason) or ""
    # A message says more than a code, and is heard.
    if "quota" not in reason.casefold() or thing.message:
        return None
    return Match(
        f"a quota does not cover {thing.object_kind} {thing.name}: {reason}",
        cites=(thing.cite("status.conditions[type=Ready].reason", reason),),
    )


RULE = Rule(
    title="A quota of the subscription is exhausted, so the resource cannot be created (ResourceQuotaExceeded)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        condition_names_a_quota,
        Signature(
            pattern=r"\bResourceQuotaExceeded\b|Operation cannot be completed without additional quota|(?i:this region has quota of \d+ (?:\w+ )?instances? for your subscription)|(?:Reason: |\bFalse (?:Warning|Error) )\w*(?:Quota|Limit)(?:Exceeded|Reached)\w*",
            says="a quota is exhausted",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: ResourceQuotaExceeded, Severity: Warning, RetryClassification: RetrySlow, Cause: The subscription has reached the limit of 250 storage accounts in westeurope." logger="storage_storageaccount" name="sa1" namespace="default"',
            near_miss="Reason: Reconciling, Severity: Info, Cause: the quota is raised",
            # Cores are counted by family, and have a rule that reads the numbers.
            unless=r"(?i)approved .{0,60}cores quota|InsufficientVCPU|vcpu quota (?:requested|left)|BackoffLimitExceeded",
        ),
        Signature(
            pattern=told(EXHAUSTED),
            says="a limit is reached ({code})",
            sample="thing1 False Warning NamespaceCountLimitReached No more of them.",
            near_miss="thing1 False Info Reconciling No more of them.",
            weight=TYPICAL,
            unless=r"(?i)approved .{0,60}cores quota|InsufficientVCPU|vcpu quota (?:requested|left)|RoleAssignmentLimit|StorageAccountsCount",
            passes=True,
        ),
        Signature(
            pattern=answered(EXHAUSTED),
            says="a limit is reached ({code})",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: TeapotCountLimitReached: No more of them.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:approved .{0,60}cores quota|InsufficientVCPU|vcpu quota (?:requested|left)|RoleAssignmentLimit|StorageAccountsCount)",
            vague=True,
            passes=True,
        ),
    ),
    why="The subscription has reached its limit for this type in the region. The precondition is external: sending the request again does not help, but ASO goes on trying, and succeeds by itself when the quota is raised or something is removed.",
    remedy=(
        Step(
            "See limits and usage.",
            run=(
                "az",
                "quota",
                "usage",
                "list",
                "--scope",
                "subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask for more quota, or remove what is not needed; the next attempt succeeds.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota",
    ),
    leads_to=(
        "aks.quota_exceeded",
        "aks.regional_quota_exceeded",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.invalid_value",
    ),
    ask="az quota usage list --scope subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location} -o table",
)
