from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_STARTING = {"ContainerCreating", "PodInitializing"}


@each(Pod, TYPICAL)
def proxy_is_down(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if pod.namespace != "nc-system" or "envoy" not in pod.name or pod.metadata.deletion_timestamp:
        return None
    if pod.is_ready or pod.status.phase == "Succeeded":
        return Clear(f"the proxy {pod.name} is ready")
    reasons = [c.state.waiting.reason or "" for c in pod.waiting if c.state and c.state.waiting]
    if pod.status.phase == "Pending" and (not reasons or set(reasons) <= _STARTING):
        return None
    return Match(
        f"the proxy {pod.name} is {', '.join(reasons) or 'not ready'}",
        cites=(pod.cite("status.phase", pod.status.phase),),
    )


RULE = Rule(
    title="The envoy proxy of a cloud services network is down, so names are not resolved through it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(proxy_is_down,),
    why="Workload on Nexus resolves outside names and leaves the site through the envoy proxy of its cloud services network, which runs in nc-system. When it is stuck, lookups end in SERVFAIL or a timeout, although the network itself is Available.",
    remedy=(
        Step(
            "See the proxy pods.",
            run=("kubectl", "get", "pods", "-n", "nc-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Restart the proxy; its owner starts it again.",
            run=("kubectl", "delete", "pod", "-n", "nc-system", "{name}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n nc-system wants the proxy Running and ready",
        ),
        Step("If it does not come back, open a support request."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-dns-issues",),
    leads_to=("kubernetes.crash_loop", "hybrid.agent_never_reported", "hybrid.cluster_offline"),
)
