from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each

# Volumes and images take their time; what waits longer waits for something that does not come.
PATIENCE_HOURS = 0.5


@each(Pod, SYMPTOM)
def waits_for_its_sandbox(pod: Pod, snapshot: Snapshot) -> Match | None:
    if pod.status.phase != "Pending" or pod.has_made_containers or not pod.waiting:
        return None
    if any(one.waiting and one.waiting.reason != "ContainerCreating" for one in pod.waiting):
        return None
    # A document may have been put together: the youngest of its times is the one to count from.
    since = max(pod.status.start_time or "", pod.metadata.creation_timestamp or "")
    hours = hours_between(since, seen_at(pod, snapshot))
    if hours is None or hours < PATIENCE_HOURS:
        return None
    return Match(
        f"{pod.namespace}/{pod.name} is in ContainerCreating for {hours:.1f} hours",
        facts={"pod": pod.name},
        cites=(pod.cite("status.startTime", since),),
    )


RULE = Rule(
    title="The sandbox of a pod cannot be created, so it stays in ContainerCreating",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        waits_for_its_sandbox,
        Signature(
            pattern=r"FailedCreatePodSandBox|[Ff]ailed to create pod sandbox|Failed create pod sandbox|CreatePodSandbox for pod failed",
            says="the sandbox of a pod could not be created",
            sample="Warning  FailedCreatePodSandBox  21s  kubelet  Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded",
            near_miss="Normal  SandboxChanged  5m  kubelet  Pod sandbox changed, it will be killed and re-created.",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) 0/\d+ (?:Init:0/\d+|ContainerCreating) \d+ (?:\([^)]{1,20}\) )?(?:\d+[mhdy]|<)",
            says="{pod} stays in ContainerCreating",
            sample="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   0/1   ContainerCreating   0   18m",
            near_miss="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   0/1   ContainerCreating   0   18s",
            weight=SYMPTOM,
        ),
    ),
    why="Before any container starts, the node sets up the network and the file systems of the pod; one of these steps fails, and the event names which.",
    remedy=(
        Step(
            "Read the events of the pod.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend the network plugin, the addresses or the volume that the event names.",
            verify="kubectl get pod {pod} -n {namespace} leaves ContainerCreating",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.container_not_running",
    ),
)
