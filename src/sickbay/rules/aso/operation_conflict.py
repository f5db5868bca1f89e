from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import BUSY, OTHERS, answered, is_of, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def azure_is_busy_with_it(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(BUSY, trouble.reason):
        return None
    return Match(
        f"Azure refuses to change {thing.object_kind} {thing.name} for now: {trouble.reason}",
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="The resource or its server is busy with another operation (Conflict, ServerIsBusy)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        azure_is_busy_with_it,
        Signature(
            pattern=r"\b(?P<code>ServerIsBusy|ConflictingServerOperation|ConflictingDatabaseOperation|CreateDatabaseAttemptedWithRotationInProgress|ServerAdvancedThreatProtectionInProgress|ServerSecurityAlertPolicyInProgress|RetryableErrorDueToAnotherOperation|NicReservedForAnotherVm|ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity)\b|operation in progress which requires exclusive lock|(?i:Another operation on this or dependent resource is in progress)|(?i:with error: Conflict: \w+ provisioning in transition)|is busy (?:with another operation|processing (?:another operation|a previous update request))",
            says="another operation runs on it[ ({code})]",
            sample="ServerIsBusy: Cannot complete operation while server 'pg1' is busy processing another operation. Try again later.",
            near_miss="Server 'pg1' completed the operation",
            passes=True,
        ),
        Signature(
            pattern=r"(?:Reason: |\bFalse (?:Warning|Error) )(?P<code>AnotherOperationInProgress|Conflict|RetryableError)\b|^(?P<other>RetryableError): ",
            says="another operation runs on it[ ({code})]",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: AnotherOperationInProgress, Severity: Warning, RetryClassification: RetrySlow, Cause: Another operation on this or dependent resource is in progress." logger="network_azurefirewall" name="fw1" namespace="default"',
            near_miss="Reason: Reconciling, Severity: Info",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=told(BUSY),
            says="another operation runs on it[ ({code})]",
            sample="thing1 False Warning UpdateInProgress Wait for its end.",
            near_miss="thing1 False Info Reconciling Wait for its end.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            # A bare Conflict is the status of the answer, and mostly carries another error.
            pattern=answered(BUSY.replace(r"|Conflict\w*", r"|Conflict\w+")),
            says="another operation runs on it ({code})",
            sample="performing Update: unexpected status 409 (409 Conflict) with error: WorkspaceUpdateInProgress: Wait for its end.",
            near_miss="performing Update: the workspace was updated.",
            weight=TYPICAL,
            unless=OTHERS,
            vague=True,
            passes=True,
        ),
    ),
    why="Azure runs one change at a time on a resource and answers further ones with a conflict or a RetryableError. PostgreSQL says ServerIsBusy, a SQL server ConflictingServerOperation or ConflictingDatabaseOperation, and CreateDatabaseAttemptedWithRotationInProgress during a key rotation; a security alert policy or an Advanced Threat Protection setting can also still be in progress. ASO tries again by itself.",
    remedy=(
        Step(
            "See which operation runs.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--offset",
                "6h",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until it has ended. If conflicts go on for hours, look for two controllers or pipelines that write to the same resource.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors",
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.operation_in_progress",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.invalid_value",
    ),
    ask="az monitor activity-log list --resource-group {resource_group} --offset 6h -o table",
)
