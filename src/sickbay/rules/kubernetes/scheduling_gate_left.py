from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod, TYPICAL)
def is_held_back(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    gates = ", ".join(gate.name or "" for gate in pod.spec.scheduling_gates or ())
    if not gates or pod.status.phase != "Pending":
        return None
    return Match(
        f"{pod.namespace}/{pod.name} is kept from the scheduler by the gate {gates}",
        facts={"gates": gates},
        cites=(pod.cite("spec.schedulingGates", gates),),
        at=pod.metadata.creation_timestamp or "",
    )


RULE = Rule(
    title="A scheduling gate holds a pod back, and nobody has lifted it (SchedulingGated)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        is_held_back,
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]*) 0/\d+ SchedulingGated \d+ |Reason: SchedulingGated|SchedulingGated\b.{0,40}?Scheduling is blocked due to non-empty scheduling gates",
            says="a pod is held back by a scheduling gate",
            sample="NAME READY STATUS RESTARTS AGE\ncart-1   0/1   SchedulingGated   0   12m",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-1   0/1   Pending   0   12s",
        ),
    ),
    why="The scheduler leaves a pod alone as long as it carries a scheduling gate. A queue or an approval controller is to take the gate away; it does not run, does not know the pod, or has no room for it yet.",
    remedy=(
        Step(
            "See which pods are gated, and by whom.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "{namespace}",
                "-o",
                "custom-columns=NAME:.metadata.name,GATES:.spec.schedulingGates[*].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the controller that owns {gates} runs and has room; or leave the gate out of the workload.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a NODE",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/",),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
    ask="kubectl get pod {pod} -n {namespace} -o yaml",
)
