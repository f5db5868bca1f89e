from sickbay.model.kubernetes import condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import ReplicaSet
from sickbay.rulekit import (
    SYMPTOM,
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


@each(ReplicaSet, SYMPTOM)
def lacks_pods(replicas: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    failure = condition_of(replicas.status.conditions, "ReplicaFailure")
    if failure is None or not failure.is_true:
        return Clear(f"{replicas.namespace}/{replicas.name} makes its pods")
    wanted = replicas.spec.replicas or 0
    return Match(
        f"{replicas.namespace}/{replicas.name} has {replicas.status.replicas or 0} of {wanted} pods and cannot create more: {failure.reason or ''}".rstrip(
            ": "
        ),
        cites=(replicas.cite("status.conditions[ReplicaFailure].reason", failure.reason),),
        at=failure.last_transition_time or "",
    )


RULE = Rule(
    title="A controller cannot create its pods (FailedCreate), so replicas are missing",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        lacks_pods,
        Signature(
            pattern=r"\bFailedCreate\b.{0,120}?[Ee]rror creating: |create Pod [\w.-]{1,253} in StatefulSet [\w.-]{1,253} failed error: |[Ee]rror creating: (?:pods? |Pod |admission webhook|Internal error)",
            says="a controller could not create a pod",
            sample='Warning  FailedCreate  3s (x14 over 2m)  replicaset-controller  Error creating: pods "cart-7d9f8b6c5-" is forbidden: by the storage of the API',
            near_miss="Normal  SuccessfulCreate  3s  replicaset-controller  Created pod: cart-7d9f8b6c5-x2x4q",
            weight=SYMPTOM,
        ),
    ),
    why="The API server refuses the pods that a ReplicaSet, StatefulSet, DaemonSet or Job asks for: a quota, a limit range, a security level, a policy or a webhook. The refusal names it; no pod exists, so there is no log to read.",
    remedy=(
        Step(
            "Read the refusal.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "reason=FailedCreate",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what it names.",
            verify="kubectl get rs -n {namespace} wants CURRENT equal to DESIRED",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/",),
    leads_to=("kubernetes.rollout_stuck",),
)
