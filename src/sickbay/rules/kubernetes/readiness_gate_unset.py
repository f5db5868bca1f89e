from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import Pod, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

# Whoever sets the condition needs a moment to hear of the pod.
_PATIENCE_HOURS = 0.03


@each(Pod)
def waits_for_condition(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    gates = [gate.condition_type for gate in pod.spec.readiness_gates or ()]
    contained = condition_of(pod.status.conditions, "ContainersReady")
    if not gates or contained is None or not contained.is_true:
        return None
    shut = [gate for gate in gates if not _is_true(pod, gate)]
    hours = hours_between(contained.last_transition_time, seen_at(pod, snapshot))
    if not shut or pod.metadata.deletion_timestamp or hours is None or hours < _PATIENCE_HOURS:
        return Clear(f"the readiness gates of {pod.namespace}/{pod.name} are open, or young")
    found = condition_of(pod.status.conditions, shut[0])
    state = f"is {found.status}" if found else "was never set"
    return Match(
        f"all containers of {pod.namespace}/{pod.name} are ready since {contained.last_transition_time}, but its readiness gate {shut[0]} {state}",
        facts={"gate": shut[0]},
        cites=(pod.cite("spec.readinessGates", shut[0]),),
        at=contained.last_transition_time or "",
    )


def _is_true(pod: Pod, type: str) -> bool:
    found = condition_of(pod.status.conditions, type)
    return found is not None and found.is_true


RULE = Rule(
    title="A readiness gate keeps a pod from being ready: its condition is not set",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(waits_for_condition,),
    why="With a readiness gate a pod is ready only when somebody else (a load balancer controller, a mesh) has written that condition into its status. That controller does not run, does not know the pod, or waits for something itself; until then no service sends traffic to it.",
    remedy=(
        Step(
            "See the conditions of the pod.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.status.conditions}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring up the controller that sets {gate}; its prefix names whose it is.",
            verify="kubectl get pod {pod} -n {namespace} -o wide shows READINESS GATES 1/1",
        ),
        Step(
            "Or take the gate out of the pod template, if nothing sets it here.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-readiness-gate",),
    leads_to=("kubernetes.rollout_stuck", "kubernetes.service_no_endpoints"),
    ask="kubectl get pod {pod} -n {namespace} -o jsonpath={.status.conditions}",
)
