from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Deployment)
def never_rolls_out(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001 - the shape of a check
    if not deployment.spec.paused:
        return None
    wanted, status = deployment.spec.replicas, deployment.status
    has_seen = status.observed_generation is not None
    if not wanted or not has_seen or status.replicas or status.updated_replicas:
        # Whoever tries a new version on a part of the pods pauses on purpose.
        return Clear(f"paused deployment {deployment.namespace}/{deployment.name} has its pods")
    return Match(
        f"deployment {deployment.namespace}/{deployment.name} is paused and has none of the {wanted} pods that it wants",
        facts={"deployment": deployment.name},
        cites=(deployment.cite("spec.paused", "true"),),
    )


RULE = Rule(
    title="A deployment is paused, so its pods are not made and its changes are not rolled out",
    severity=Severity.INFO,
    categories=(Category.WORKLOAD, Category.CREATION),
    detect=(never_rolls_out,),
    why="While spec.paused is true the controller makes no new replica set: what was applied or changed since then has no effect until the rollout is resumed.",
    remedy=(
        Step(
            "See what waits to be rolled out.",
            run=("kubectl", "rollout", "history", "deployment/{deployment}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Resume the rollout.",
            run=("kubectl", "rollout", "resume", "deployment/{deployment}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl rollout status deployment/{deployment} -n {namespace}",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment",
    ),
    leads_to=("kubernetes.pods_not_created", "kubernetes.rollout_stuck"),
    ask="kubectl get deployment {deployment} -n {namespace} -o yaml",
)
