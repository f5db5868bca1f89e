from sickbay.model.arc import ConnectedCluster
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


@each(ConnectedCluster, SYMPTOM)
def sends_no_heartbeat(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if cluster.connectivity != "offline":
        return Clear(
            f"{cluster.name} is {cluster.connectivity_status or 'of unknown connectivity'}"
        )
    last = cluster.last_connectivity_time
    return Match(
        f"{cluster.name} is Offline, the last heartbeat was at {last or 'no time that is known'}",
        facts={"cluster": cluster.name},
        cites=(cluster.cite("properties.connectivityStatus", cluster.connectivity_status),),
        at=last or "",
    )


RULE = Rule(
    title="The connected cluster is offline: its Arc agents send no heartbeat",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        sends_no_heartbeat,
        Signature(
            pattern=r"(?i)connected cluster .{0,80}?(?:is|status:?) (?:offline|not connected)\b|current state of the cluster is ?: ?Offline\b|connectivity ?status(?: is| shows| says)?\W{1,6}Offline\b",
            says="the connected cluster is offline",
            sample="The connected cluster c1 is offline, no heartbeat was received",
            near_miss="The connected cluster c1 is connected",
            weight=SYMPTOM,
        ),
    ),
    why="The agents in the namespace azure-arc send a heartbeat every few minutes, and Azure shows the cluster as Offline after 15 minutes without one: the cluster is stopped, the agents do not run, or their way to Azure is blocked.",
    remedy=(
        Step(
            "See whether the agents run.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "azure-arc",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
            verify="all pods want Running and ready",
        ),
        Step(
            "Let the CLI look for the cause.",
            run=(
                "az",
                "connectedk8s",
                "troubleshoot",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
)
