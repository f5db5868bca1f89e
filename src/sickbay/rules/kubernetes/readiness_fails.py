from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# A pod may take a few minutes to become ready; only one that runs unready for longer is ill.
PATIENCE_HOURS = 0.25


@each(Pod, TYPICAL)
def runs_unready(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    unready = [c for c in pod.status.container_statuses or () if c.ready is False]
    if not unready or pod.status.phase != "Running" or pod.metadata.deletion_timestamp:
        return None
    now = seen_at(pod, snapshot)
    for container in unready:
        running = container.state.running if container.state else None
        hours = hours_between(running.started_at if running else None, now)
        if running and hours is not None and hours >= PATIENCE_HOURS:
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} runs for {hours:.1f} hours without becoming ready",
                facts={"container": container.name},
                cites=(pod.cite(f"status.containerStatuses[{container.name}].ready", value=False),),
                at=(running.started_at or ""),
            )
    return Clear(f"no container of {pod.namespace}/{pod.name} is known to run unready for long")


RULE = Rule(
    title="A container runs but its readiness probe keeps failing",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(runs_unready,),
    why="A pod whose readiness probe fails is taken out of its services: the program listens on another port or path than the probe asks, waits for a dependency, or is overloaded.",
    remedy=(
        Step(
            "Read what the probe got.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the probe, or what the program waits for.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=(
        "kubernetes.pdb_blocks_drain",
        "kubernetes.service_no_endpoints",
        "kubernetes.rollout_stuck",
    ),
)
