from sickbay.model.aso import AsoObject
from sickbay.model.aso_retry import SINCE_RETRIES, is_given_up
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AsoObject)
def stopped_on_a_passing_error(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    trouble = thing.trouble
    if trouble is None or trouble.severity != "Error":
        return None
    version = thing.operator_version(snapshot)
    verdict = is_given_up(trouble.reason or "", "Error", version)
    if verdict is False:
        return Clear(f"{trouble.reason} ends every attempt, in any version")
    told = f"ASO v{version[0]}.{version[1]}" if version else "an ASO before v2.18"
    return Match(
        f"{told} stopped at {trouble.reason} for {thing.object_kind} {thing.name}, and does not notice when its cause is gone",
        facts={"kind": thing.object_kind.casefold(), "reason": trouble.reason or ""},
        cites=(
            thing.cite("status.conditions[type=Ready].severity", trouble.severity),
            thing.cite("status.conditions[type=Ready].reason", trouble.reason),
        ),
        at=trouble.last_transition_time or "",
        weight=None if verdict else TYPICAL,
    )


RULE = Rule(
    title="This version of ASO stopped trying after an error that newer versions retry (severity Error)",
    severity=Severity.WARNING,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(stopped_on_a_passing_error,),
    why=f"Up to v2.17 ASO counted every unclassified HTTP 400, BadRequest, RequestDisallowedByPolicy, SkuNotAvailable, MethodNotAllowed and others as fatal; since v{SINCE_RETRIES[0]}.{SINCE_RETRIES[1]} they are retried at the sync period. With severity Error nothing is tried again until the spec or an ASO annotation changes, even when the cause is gone.",
    remedy=(
        Step("End the cause that {reason} names."),
        Step(
            "Start the next attempt by setting the reconcile policy that holds anyway.",
            run=(
                "kubectl",
                "annotate",
                "{kind}",
                "{name}",
                "-n",
                "{namespace}",
                "serviceoperator.azure.com/reconcile-policy=manage",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
        Step(
            "Upgrade ASO to v2.18 or newer, so that such errors are tried again by themselves.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
        "https://azure.github.io/azure-service-operator/guide/upgrading/",
    ),
)
