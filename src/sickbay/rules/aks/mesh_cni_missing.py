from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet
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


@each(DaemonSet, TYPICAL)
def lacks_nodes(agents: DaemonSet, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if "istio-cni" not in agents.name:
        return None
    wanted, ready = agents.status.desired_number_scheduled, agents.status.number_ready or 0
    if wanted is None or ready >= wanted:
        return Clear(f"{agents.name} is ready on {ready} nodes")
    return Match(
        f"{agents.namespace}/{agents.name} is ready on {ready} of {wanted} nodes",
        cites=(agents.cite("status.numberReady", f"{ready} of {wanted}"),),
    )


RULE = Rule(
    title="The Istio CNI does not run on every node, so pods of the mesh cannot start there",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        lacks_nodes,
        Signature(
            pattern=r"(?i)istio-validation.{0,300}?connection refused|127\.0\.0\.6:15002: connect: connection refused|(?:traffic redirection|iptables).{0,80}?(?:validation|rules).{0,80}?(?:failed|not (?:found|set up)).{0,200}?istio|istio-cni.{0,200}?(?:not (?:ready|found)|failed to (?:install|start))|plugin type=\"?istio-cni\"?.{0,200}?(?:no such file or directory|connection refused)|Validation failed\. iptables are not correctly set up",
            says="the redirection of the mesh was not set up on the node",
            sample="2026-11-11T10:00:00Z error istio-validation Error connecting to 127.0.0.6:15002: dial tcp 127.0.0.1:0->127.0.0.6:15002: connect: connection refused",
            near_miss="2026-11-11T10:00:00Z info istio-validation Validation passed, iptables rules established",
            weight=TYPICAL,
        ),
    ),
    why="With Istio CNI a DaemonSet sets up the redirection of traffic on each node. Where its pod is missing (a taint that it does not tolerate, an image that is not pulled) the init container istio-validation fails, and pods of the mesh do not start.",
    remedy=(
        Step(
            "See the DaemonSet.",
            run=(
                "kubectl",
                "get",
                "daemonset",
                "azure-service-mesh-istio-cni-addon-node",
                "-n",
                "aks-istio-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the log of its pods.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "aks-istio-system",
                "-l",
                "k8s-app=azure-service-mesh-istio-cni-addon-node",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what keeps it from the node, then recreate the pods that failed.",
            run=(
                "kubectl",
                "delete",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-cni-troubleshooting",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.container_creating_stuck",
    ),
    ask="kubectl get daemonsets -A -o json",
)
