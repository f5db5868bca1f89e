from sickbay.model.arc import AGENT_NAMESPACE, agents_of
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
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

_CREATING = {"ContainerCreating", "PodInitializing"}


@each(Pod, SYMPTOM)
def does_not_run(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.namespace != AGENT_NAMESPACE:
        return None
    if pod.is_ready or pod.status.phase == "Succeeded":
        return Clear(f"{pod.name} runs")
    reasons = {
        container.state.waiting.reason or ""
        for container in pod.waiting
        if container.state and container.state.waiting
    }
    # Each pod is created once, and is not ill while it is.
    if not (bad := sorted(reasons - _CREATING)):
        return None
    return Match(
        f"{pod.name} is in {', '.join(bad)}",
        cites=(pod.cite("status.containerStatuses.state.waiting.reason", bad[0]),),
        subject=agents_of(snapshot),
    )


RULE = Rule(
    title="Arc agent pods are not running in the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        does_not_run,
        Signature(
            pattern=r"(?i)One or more Azure Arc agents are not in running state|agents? (?:in the Azure Arc )?(?:are|is) not fully run|agentState\W{1,4}Failed",
            says="agents do not run",
            sample="Error: One or more Azure Arc agents are not in running state. It may be caused due to insufficient resource availability on the cluster.",
            near_miss="All Azure Arc agents are in running state",
            weight=SYMPTOM,
        ),
    ),
    why="One or more Azure Arc agent pods in the namespace azure-arc are not running and ready: no node has the memory and CPU, an image is not pulled, the identity certificate is missing, or a security policy keeps them out. Their events and logs say which.",
    remedy=(
        Step(
            "See the agents.",
            run=("kubectl", "get", "pods", "-n", "azure-arc", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Read the events.",
            run=("kubectl", "get", "events", "-n", "azure-arc", "--sort-by=.lastTimestamp"),
            risk=Risk.READ,
        ),
        Step(
            "Free or add resources (850 MB of memory, 7 % of a CPU), or mend what the events say.",
            verify="kubectl get pods -n azure-arc wants all Running and ready",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
    ),
    leads_to=(
        "arc.agent_offline",
        "arc.connection_failed",
        "arc.onboarding_timeout",
    ),
    ask="kubectl get pods -n azure-arc -o wide",
)
