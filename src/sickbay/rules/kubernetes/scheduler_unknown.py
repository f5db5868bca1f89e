from sickbay.model.kubernetes import Pod, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

DEFAULT = "default-scheduler"


@each(Pod, TYPICAL)
def is_looked_at_by_nobody(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    name = pod.spec.scheduler_name
    if pod.status.phase != "Pending" or pod.spec.node_name or not name or name == DEFAULT:
        return None
    if condition_of(pod.status.conditions, "PodScheduled") is not None:
        return Clear(f"scheduler {name} has looked at {pod.namespace}/{pod.name}")
    return Match(
        f"{pod.namespace}/{pod.name} waits for the scheduler {name}, which has never looked at it",
        facts={"scheduler": name},
        cites=(pod.cite("spec.schedulerName", name),),
        at=pod.metadata.creation_timestamp or "",
    )


RULE = Rule(
    title="A pod waits for a scheduler that does not run",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(is_looked_at_by_nobody,),
    why="schedulerName gives a pod to that scheduler alone. When none of that name runs, nobody places the pod: it stays Pending without a condition and without an event.",
    remedy=(
        Step(
            "See which schedulers have spoken lately.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=Scheduled",
                "-o",
                "custom-columns=BY:.reportingComponent",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave schedulerName out of the workload (or correct it), or start the scheduler {scheduler}; existing pods must be made anew.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a NODE",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/",),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
