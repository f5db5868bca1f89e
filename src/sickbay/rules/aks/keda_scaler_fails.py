from sickbay.model.addons import ScaledObject
from sickbay.model.kubernetes import condition_of
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


@each(ScaledObject, TYPICAL)
def is_not_ready(scaled: ScaledObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = condition_of(scaled.status.conditions, "Ready")
    if ready is None or ready.status != "False":
        return Clear(f"scaled object {scaled.namespace}/{scaled.name} is ready")
    return Match(
        f"scaled object {scaled.namespace}/{scaled.name} is not ready: {ready.reason or ''}".rstrip(
            ": "
        ),
        cites=(scaled.cite("status.conditions[Ready].reason", ready.reason),),
        at=ready.last_transition_time or "",
    )


RULE = Rule(
    title="KEDA cannot read the source of a trigger, so it does not scale (KEDAScalerFailed)",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        is_not_ready,
        Signature(
            pattern=r"KEDAScalerFailed|KEDAScaleTarget(?:Dea|A)ctivationFailed|ScaledObjectCheckFailed|ScaledJobCheckFailed|(?i:error resolving auth params|error reading triggerAuthentication|error getting scaler for trigger|error (?:creating|building) scaler)",
            says="KEDA could not use a trigger",
            sample="Warning  KEDAScalerFailed  3s  keda-operator  error parsing azure service bus metadata: no connection setting given",
            near_miss="Normal  KEDAScalersStarted  3s  keda-operator  Started scalers watch",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)error getting scale decision|ERROR \w{3,40}_scaler error\b|error getting (?:metric spec|service bus entity length|queue length|event hub|metrics?) |scale_?handler.{0,60}?error (?:getting|checking)|scaler with id \d+ not found",
            says="KEDA could not read the source of a trigger",
            sample='ERROR azure_servicebus_scaler error getting service bus entity length {"type": "ScaledObject", "namespace": "shop", "name": "orders", "error": "queue does not exist"}',
            near_miss="INFO scale_handler Scaling deployment to 3 replicas",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="For each trigger KEDA asks a queue, a database or a monitor. It cannot sign in there, the metadata of the trigger is incomplete or no longer known in this version, or the source does not answer; the message names it.",
    remedy=(
        Step(
            "See what KEDA says of it.",
            run=(
                "kubectl",
                "describe",
                "scaledobject",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct metadata or authentication of the trigger.",
            run=(
                "kubectl",
                "edit",
                "scaledobject",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get scaledobject -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-kubernetes-event-driven-autoscaling-add-on",
    ),
    leads_to=("kubernetes.autoscaler_blind",),
    ask="kubectl get scaledobjects -A -o json",
    wraps=True,
)
