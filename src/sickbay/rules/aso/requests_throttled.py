from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import THROTTLED, is_of, told
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject, weight=TYPICAL)
def condition_says_throttled(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or not is_of(THROTTLED, trouble.reason):
        return None
    return Match(
        f"Azure throttles the requests for {thing.object_kind} {thing.name}: {trouble.reason}",
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="Azure throttles the requests of ASO (429 Too Many Requests)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        condition_says_throttled,
        Signature(
            pattern=r"(?:Reason: |\bFalse (?:Warning|Error) )(?:TooManyRequests\w*|SubscriptionRequestsThrottled|OperationThrottled|429), |RESPONSE 429: .{0,40}?ERROR CODE: (?:TooManyRequests|SubscriptionRequestsThrottled|429)\b",
            says="Azure answers 429",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: TooManyRequests, Severity: Warning, RetryClassification: RetrySlow, Cause: The request was throttled. Try again later." logger="cache_redis" name="r1" namespace="default"',
            near_miss='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: TeapotRefused, Severity: Info, RetryClassification: RetrySlow, Cause: The request was not throttled." logger="cache_redis" name="r1" namespace="default"',
            passes=True,
        ),
        Signature(
            pattern=told(THROTTLED),
            says="Azure throttles the requests ({code})",
            sample="thing1 False Warning OperationThrottled Try again later.",
            near_miss="thing1 False Info Reconciling Try again later.",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Resource Manager and each provider limit the requests of an identity and a subscription. Many objects with a short AZURE_SYNC_PERIOD, or several operators with one identity, use the limit up; ASO backs off and tries again.",
    remedy=(
        Step(
            "See how the operator is set.",
            run=(
                "kubectl",
                "get",
                "deployment",
                "azureserviceoperator-controller-manager",
                "-n",
                "azureserviceoperator-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise AZURE_SYNC_PERIOD, lower MAX_CONCURRENT_RECONCILES or set RATE_LIMIT_MODE in the secret aso-controller-settings, or use an identity for each team.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager shows no new 429",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling",
    ),
    leads_to=(
        "aks.request_throttled",
        "aso.not_ready",
    ),
    ask="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager --tail 500",
)
