from sickbay.model.kubernetes import condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Deployment, SYMPTOM)
def passed_its_deadline(deployment: Deployment, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    progress = condition_of(deployment.status.conditions, "Progressing")
    if (
        progress is None
        or progress.reason != "ProgressDeadlineExceeded"
        or not deployment.spec.replicas
    ):
        return None
    return Match(
        f"{deployment.namespace}/{deployment.name} has {deployment.status.available_replicas or 0} of {deployment.spec.replicas} pods available after its progress deadline",
        facts={"deployment": deployment.name},
        cites=(deployment.cite("status.conditions[Progressing].reason", progress.reason),),
        at=progress.last_transition_time or "",
    )


RULE = Rule(
    title="A rollout does not finish (ProgressDeadlineExceeded)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        passed_its_deadline,
        Signature(
            pattern=r"ProgressDeadlineExceeded|exceeded its progress deadline|has timed out progressing|Waiting for rollout to finish: \d+ replicas wanted; \d+ replicas Ready|does not have any ready Revision|Initial scale was never achieved",
            says="a rollout passed its deadline",
            sample='error: deployment "cart" exceeded its progress deadline',
            near_miss='deployment "cart" successfully rolled out',
            weight=SYMPTOM,
        ),
    ),
    why="The new pods did not become available within the deadline of the Deployment (ten minutes by default); what holds the pods back is the cause.",
    remedy=(
        Step(
            "See which pods are not ready, and why.",
            run=("kubectl", "get", "pods", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Return to the version before, if the service is needed now.",
            run=("kubectl", "rollout", "undo", "deployment/<deployment>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl rollout status deployment/<deployment> -n {namespace} ends with 'successfully rolled out'",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment",
    ),
    leads_to=("kubernetes.condition_timeout",),
)
