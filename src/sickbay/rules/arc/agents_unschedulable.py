from sickbay.model.arc import AGENT_NAMESPACE, agents_of
from sickbay.model.kubernetes import Pod, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
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


@each(Pod, TYPICAL)
def finds_no_node(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.namespace != AGENT_NAMESPACE:
        return None
    scheduled = condition_of(pod.status.conditions, "PodScheduled")
    if pod.node or scheduled is None or scheduled.status != "False":
        return Clear(f"{pod.name} has a node, or waits for none")
    return Match(
        f"{pod.name} is pending: {scheduled.message or scheduled.reason or 'no node was found'}",
        cites=(pod.cite("status.conditions[PodScheduled].status", scheduled.status),),
        subject=agents_of(snapshot),
    )


RULE = Rule(
    title="The Arc agents' pods are pending: no node can take them (AZK8S0512)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        finds_no_node,
        Signature(
            pattern=r"\bAZK8S0512\b|(?i:Azure Arc agent(?: pod)?s (?:are (?:in )?pending|could not be scheduled))|\bPendingOrUnschedulable\b",
            says="pods of the agents are pending",
            sample="[AZK8S0512] HelmTimeoutPendingOrUnschedulable: Azure Arc agent pods are pending or unschedulable. Check node capacity, taints, node selectors, and affinity rules.",
            near_miss="Azure Arc agent pods are scheduled",
        ),
        Signature(
            pattern=r"\b(?P<pod>(?:cluster-metadata-operator|clusteridentityoperator|clusterconnect-agent|config-agent|extension-manager|extension-events-collector|flux-logs-agent|kube-aad-proxy|metrics-agent|resource-sync-agent)-[a-z0-9]{5,10}-[a-z0-9]{5}) 0/\d Pending \d+ (?:\([^)]{1,20}\) )?(?:[2-9]m|\d\dm|\d+[hdy])",
            says="{pod} is pending",
            sample="clusteridentityoperator-5bb9b6fdf9-2tlgn   0/3   Pending   0   16m",
            near_miss="clusteridentityoperator-5bb9b6fdf9-2tlgn   3/3   Running   0   16m",
            weight=TYPICAL,
        ),
    ),
    why="The agents need room on Linux nodes (about 850 MB of memory and 7 % of a CPU) without taints that they do not tolerate. Pods of azure-arc that stay Pending or unschedulable end the onboarding in a Helm timeout.",
    remedy=(
        Step(
            "See why.",
            run=(
                "kubectl",
                "describe",
                "pods",
                "-n",
                "azure-arc",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Free resources on Linux nodes (amd64 or arm64) or add one, and remove taints and selectors that keep the agents off.",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/system-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "arc.connection_failed",
        "kubernetes.pod_pending",
        "kubernetes.readiness_fails",
    ),
    ask="kubectl describe pods -n azure-arc",
)
