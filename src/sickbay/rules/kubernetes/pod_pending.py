from sickbay.model.kubernetes import Pod
from sickbay.model.placement import is_unschedulable, scheduler_says
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod, SYMPTOM)
def has_no_node(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if not is_unschedulable(pod):
        return None
    said = scheduler_says(pod)
    return Match(
        f"{pod.namespace}/{pod.name} is Pending: the scheduler found no node for it",
        facts={"pod": pod.name},
        cites=(pod.cite("status.conditions", said or "Unschedulable"),),
    )


RULE = Rule(
    title="A pod stays Pending because the scheduler finds no node for it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(
        has_no_node,
        Signature(
            pattern=r"0/(?:\d+|\(?X\)?) nodes are available",
            says="the scheduler found no node for a pod",
            sample="0/5 nodes are available:",
            near_miss="3/3 nodes are available",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"FailedScheduling\b",
            says="a pod could not be scheduled",
            sample="Warning  FailedScheduling  24m (x1 over 25m)  default-scheduler  running PreBind plugin failed",
            near_miss="Normal  Scheduled  2m  default-scheduler  Successfully assigned shop/cart-1 to aks-np1-12345678-vmss000000",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ Pending \d+ (?:\([^)]{1,20}\) )?(?:\d+[mhdy]|<)",
            says="{pod} is Pending",
            sample="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   0/1     Pending   0          78m",
            near_miss="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   1/1     Running   0          78m",
            weight=SYMPTOM,
        ),
    ),
    why="The scheduler filters the nodes by resources, taints, labels and volumes, and a pod that no node passes for waits; the reasons stand behind the count of nodes in its message.",
    remedy=(
        Step(
            "Read why each node was refused.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the reason that the scheduler names for most nodes: add capacity, tolerate the taint, correct the selector, or free the volume.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-scheduler-errors",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
    ),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.container_not_running",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
    ),
)
