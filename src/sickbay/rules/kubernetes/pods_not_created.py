from sickbay.model.ages import hours_between, looked_at
from sickbay.model.kubernetes import condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, ReplicaSet
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

# A controller takes seconds to make its pods.
PATIENCE_HOURS = 0.25


@each(ReplicaSet, SYMPTOM)
def lacks_pods(replicas: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(replicas, snapshot)


@each(Deployment, SYMPTOM)
def lacks_every_pod(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    sets = snapshot.in_namespace(ReplicaSet, deployment.namespace)
    if any(one.owner and one.owner.name == deployment.name for one in sets):
        return None
    return _judge(deployment, snapshot)


def _judge(work: ReplicaSet | Deployment, snapshot: Snapshot) -> Match | Clear:
    failure = condition_of(work.status.conditions, "ReplicaFailure")
    wanted, there = work.spec.replicas or 0, work.status.replicas or 0
    failed = failure if failure and failure.is_true else None
    if failed is None and not (wanted and not there and _is_settled(work, snapshot)):
        return Clear(f"{work.namespace}/{work.name} makes its pods")
    reason = f": {failed.reason}" if failed and failed.reason else ""
    path = "status.conditions[ReplicaFailure].reason" if failed else "status.replicas"
    return Match(
        f"{work.namespace}/{work.name} has {there} of {wanted} pods and cannot create more{reason}",
        cites=(work.cite(path, failed.reason if failed else there),),
        at=(failed and failed.last_transition_time) or "",
    )


def _is_settled(work: ReplicaSet | Deployment, snapshot: Snapshot) -> bool:
    """Whether the controller has seen it as it is, and had time to act."""
    if work.status.observed_generation is None or work.spec.paused:
        return False
    if work.status.observed_generation != (work.metadata.generation or 1):
        return False
    available = condition_of(work.status.conditions, "Available")
    since = (available and available.last_transition_time) or work.metadata.creation_timestamp
    return (hours_between(since, looked_at(snapshot)) or 0) > PATIENCE_HOURS


RULE = Rule(
    title="A controller cannot create its pods (FailedCreate), so replicas are missing",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        lacks_pods,
        lacks_every_pod,
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
