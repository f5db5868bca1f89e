from sickbay.model.aso import AsoObject
from sickbay.model.aso_retry import retry_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(AsoObject, weight=TYPICAL)
def reports_trouble(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready, trouble = thing.ready, thing.trouble
    if ready is None:
        return None
    # An object that waits for its owner is the owner's trouble, and has a rule of its own.
    if trouble is None or trouble.reason == "WaitingForOwner":
        return Clear(f"Ready is {ready.status} ({ready.reason})")
    fate = retry_of(trouble.reason or "", trouble.severity or "")
    return Match(
        f"{thing.object_kind} {thing.name} is not Ready: {trouble.reason}, severity {trouble.severity}, so {fate}",
        facts={"kind": thing.object_kind, "reason": trouble.reason or ""},
        cites=(
            thing.cite("status.conditions[type=Ready].reason", trouble.reason),
            thing.cite("status.conditions[type=Ready].message", trouble.message),
        ),
    )


RULE = Rule(
    title="An Azure Service Operator object is not Ready; the reason of its condition names the cause",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        reports_trouble,
        Signature(
            pattern=r"Reason: (?P<reason>(?:[A-VX-Z]|W[^a])\w+), Severity: (?P<severity>Error|Warning), Retry(?:Classification: \w+, Cause: (?P<cause>[^\"\n]{0,200}))?",
            says="ASO reports {reason}, severity {severity}: {cause}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: TeapotRefused, Severity: Warning, RetryClassification: RetrySlow, Cause: the teapot is not in the mood" logger="cache_redis" name="redis1" namespace="default"',
            near_miss='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: Reconciling, Severity: Info, RetryClassification: RetrySlow, Cause: The resource is in the process of being reconciled by the operator" logger="cache_redis" name="redis1" namespace="default"',
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?:^| )(?P<object>[\w./-]{1,253}) False (?P<severity>Error|Warning) (?P<reason>(?:[A-VX-Z]|W[^a])\w+) \S",
            says="{object} is not Ready: {reason}, severity {severity}",
            sample="redis1 False Warning TeapotRefused the teapot is not in the mood",
            near_miss="redis1 False Info Reconciling the resource is being created",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?i:message: )(?P<cause>[^\n]{1,300}?) (?i:observed ?generation: )\d+ (?i:reason: )(?P<reason>(?:[A-VX-Z]|W[^a])\w+) (?i:severity: )(?P<severity>Error|Warning) (?i:status: )\"?False\b",
            says="an object is not Ready: {reason}, severity {severity}: {cause}",
            sample="Message: the teapot is not in the mood Observed Generation: 1 Reason: TeapotRefused Severity: Warning Status: False Type: Ready",
            near_miss="Message: the resource is being created Observed Generation: 1 Reason: Reconciling Severity: Info Status: False Type: Ready",
            unless=r"API Version: |apiVersion: ",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"\bWarning (?P<reason>(?:Determine)?(?:CreateOrUpdate|Delete)ActionError) (?:\(?x?\d+\w* (?:over \w+\))? ?){0,3}(?:\w+Controller )?(?P<cause>.{0,200})",
            says="ASO could not act on an object ({reason}): {cause}",
            sample="Warning CreateOrUpdateActionError 8s (x12 over 4m) RedisController the teapot is not in the mood",
            near_miss="Normal BeginCreateOrUpdate 8s RedisController Successfully sent resource to Azure",
            weight=TYPICAL,
            unless=r"WaitingForOwner|Progress is blocked until the owner",
            passes=True,
        ),
        Signature(
            pattern=r"\b(?P<reason>(?:Determine)?(?:CreateOrUpdate|Delete)ActionError): (?P<cause>.{0,200})",
            says="ASO could not act on an object ({reason}): {cause}",
            sample="CreateOrUpdateActionError: the teapot is not in the mood",
            near_miss='BeginCreateOrUpdate: Successfully sent resource to Azure with ID "/subscriptions/0"',
            weight=TYPICAL,
            unless=r"WaitingForOwner|Progress is blocked until the owner",
            passes=True,
        ),
    ),
    why="ASO keeps one condition on each object, Ready, and copies the code (BadRequest, UnknownError, whatever Azure says) and the message of the error into it. Its severity alone decides what happens next: with Warning it tries again by itself, with Error it stops until the spec or an ASO annotation changes.",
    remedy=(
        Step(
            "Read the events of the object; its condition stands in kubectl get azure -n {namespace} -o yaml.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "involvedObject.name={name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read what the controller logged about it: the whole answer of Azure stands there.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "500",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the code does not tell the cause (a server error above all), contact the product group of the resource: give it the whole error, the exact time in UTC (lastTransitionTime), and the resource id from the annotation serviceoperator.azure.com/resource-id. ASO is a client of the ARM REST API like any other."
        ),
        Step(
            "End the cause that the code names; with severity Error also change the spec or an ASO annotation, which starts the next attempt.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.owner_not_ready", "aso.waiting_for_owner"),
    wraps=True,
)
