from sickbay.model.aso import AsoObject
from sickbay.model.aso_refusal import request_id
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

_CODES = frozenset(
    "InternalServerError InternalOperationError InternalExecutionError ServiceUnavailable "
    "GatewayTimeout BadGateway BadGatewayConnection ServerTimeout "
    "AzureCacheForRedisLongRunningOperationFailure VmssGatewayDeploymentFailed".split()
)


@each(AsoObject, weight=TYPICAL)
def service_answers_with_its_own_error(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason not in _CODES or "high demand" in thing.message:
        return None
    at = trouble.last_transition_time or ""
    return Match(
        f"the service failed at {thing.object_kind} {thing.name} with {trouble.reason}{f' at {at}' if at else ''}",
        facts={
            "code": trouble.reason or "",
            "correlation": request_id(thing.message) or "<correlation-id>",
            "id": thing.resource_id or "in the annotation serviceoperator.azure.com/resource-id",
            "when": at or "of the error",
        },
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
        at=at,
    )


RULE = Rule(
    title="The Azure service itself failed with a server error (5xx); the request was not at fault",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        service_answers_with_its_own_error,
        Signature(
            pattern=r"\b(?P<code>AzureCacheForRedisLongRunningOperationFailure|VmssGatewayDeploymentFailed)\b(?:.{0,300}?Correlation id: (?P<correlation>[\w-]+))?(?P<id>)(?P<when>)",
            says="the service reports {code}",
            sample="AzureCacheForRedisLongRunningOperationFailure: An error occurred during the long running operation. Request Id: 234bed89-74ee-4e15-969f-e5aa9726976b, Correlation id: 8acc746b-3fcf-4070-87b6-8eacb4a09800",
            near_miss="The long running operation completed. Correlation id: 8acc746b-3fcf-4070-87b6-8eacb4a09800",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"An unexpected error occurr?ed while processing the request\. Tracking ID: '(?P<correlation>[\w-]+)(?P<code>)(?P<id>)(?P<when>)",
            says="Azure failed[ (tracking id {correlation})]",
            sample="An unexpected error occured while processing the request. Tracking ID: '8e55c6c4-ca68-477c-bcb8-db417aae80f3'",
            near_miss="The request was processed. Tracking ID: '8e55c6c4-ca68-477c-bcb8-db417aae80f3'",
            unless=r"\bInternalServerError\b",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?:Reason: |\bFalse (?:Warning|Error) |RESPONSE 5\d\d: .{0,60}?ERROR CODE: )(?P<code>InternalServerError|InternalOperationError|InternalExecutionError|ServiceUnavailable|GatewayTimeout|BadGateway\w*|ServerTimeout)\b(?:.{0,900}?(?:RequestID|[Cc]orrelation ?[Ii][Dd]): (?P<correlation>[\w-]+))?(?P<id>)(?P<when>)",
            says="the service answers {code}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: InternalServerError, Severity: Warning, RetryClassification: RetrySlow, Cause: An unexpected error occurred., RequestID: 8e55c6c4-ca68-477c-bcb8-db417aae80f3" logger="cache_redis" name="r1" namespace="default"',
            near_miss="Reason: Reconciling, Severity: Info, RetryClassification: RetrySlow, Cause: the service answers",
            weight=TYPICAL,
            unless=r"experiencing high demand",
            passes=True,
        ),
        Signature(
            pattern=r"Code=\"Failed\" Message=\"The async operation failed|\bCode=\"5\d\d\" Message=\"|\bwith error: InternalServerError: |\b[Cc]ode\"?[:=] ?\"InternalServerError\",? ?\"?[Mm]essage(?P<code>)(?P<correlation>)(?P<id>)(?P<when>)",
            says="the service failed",
            sample='Error: waiting for the create of Redis Cache "shop": Code="Failed" Message="The async operation failed." AdditionalInfo=[]',
            near_miss='Code="Succeeded" Message="The async operation ended."',
            weight=TYPICAL,
            vague=True,
            passes=True,
        ),
    ),
    why="The request reached the service, and the service answered with an error of its own: InternalServerError, ServiceUnavailable, GatewayTimeout, or the end of a long operation such as AzureCacheForRedisLongRunningOperationFailure or VmssGatewayDeploymentFailed. ASO tries again by itself; when it persists only the product group of the resource can see why.",
    remedy=(
        Step(
            "Look at what the service says of the resource.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--status",
                "Failed",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the next attempt. If it goes on, contact the product group of the resource with the whole error (not cut short), the exact time in UTC ({when}), the resource id ({id}) and the request or correlation id {correlation}. Say that ASO is a client of the ARM REST API like any other."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
        "https://learn.microsoft.com/azure/azure-portal/supportability/how-to-create-azure-support-request",
    ),
    leads_to=(
        "aks.platform_error",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az monitor activity-log list --resource-group {resource_group} --status Failed --offset 1d -o table",
)
