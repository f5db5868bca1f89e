from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import (
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


@each(Deployment)
def has_no_agent(workload: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if workload.namespace != "kube-system" or workload.name != "konnectivity-agent":
        return None
    ready, wanted = workload.status.ready_replicas or 0, workload.spec.replicas or 0
    if not wanted or ready:
        return Clear(f"konnectivity-agent has {ready} of {wanted} pods ready")
    return Match(
        f"konnectivity-agent has {ready} of {wanted} pods ready",
        cites=(workload.cite("status", f"{ready} of {wanted} ready"),),
    )


RULE = Rule(
    title="No konnectivity agent is connected, so the API server has no tunnel into the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        has_no_agent,
        Signature(
            pattern=r"\bNo agent available\b",
            says="the API server has no konnectivity agent to go through",
            sample="Error from server: error dialing backend: No agent available",
            near_miss="konnectivity agent available",
        ),
    ),
    why="Logs, exec, port-forward, webhooks and aggregated APIs go from the API server into the cluster through a tunnel that the konnectivity-agent pods keep open. None is connected: the pods do not run (no node, no memory, image not pulled), or they cannot reach the API server.",
    remedy=(
        Step(
            "See whether the agents run, and where.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "app=konnectivity-agent",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what keeps them from running: a system pool with room, the image, or the way from the nodes to the API server on port 443."
        ),
        Step(
            "Restart them.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/konnectivity-agent",
                "-n",
                "kube-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs of a pod answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tunnel-connectivity-issues",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/tcp-timeouts-kubetctl-third-party-tools-connect-api-server",
    ),
    leads_to=(
        "network.kubelet_unreachable",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
    ),
    spreads=True,
)
