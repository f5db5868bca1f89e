from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def is_killed_for_memory(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if pod.namespace != "kube-system" or not pod.name.startswith("metrics-server-"):
        return None
    for container in pod.statuses:
        ended = container.last_termination
        if ended is not None and ended.reason == "OOMKilled":
            return Match(
                f"container {container.name} of {pod.name} was killed for want of memory, {container.restart_count or 0} restarts",
                cites=(
                    pod.cite(f"status.containerStatuses[{container.name}].lastState", "OOMKilled"),
                ),
                at=ended.finished_at or "",
            )
    return Clear(f"{pod.name} was not killed for want of memory")


RULE = Rule(
    title="The metrics server is killed for want of memory: its resources do not fit the size of the cluster",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.SCALING,
    ),
    detect=(
        is_killed_for_memory,
        Signature(
            pattern=r"\bmetrics-server-\w+-\w+ \d+/\d+ OOMKilled\b|\bmetrics-server\b.{0,200}?\bOOMKilled\b",
            says="the metrics server was killed for want of memory",
            sample="kube-system metrics-server-6bc97b47f7-dfhbr 1/2 OOMKilled 12 3h",
            near_miss="kube-system metrics-server-6bc97b47f7-dfhbr 2/2 Running 0 3h",
        ),
    ),
    why="metrics-server needs memory for every node and pod. In a large cluster the amounts that AKS gives it by default are too low, it is OOMKilled, and `kubectl top` and autoscaling by metrics fail.",
    remedy=(
        Step(
            "See how often it was killed.",
            run=(
                "kubectl",
                "describe",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=metrics-server",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise base and per-node resources in the ConfigMap metrics-server-config (keys baseCPU, cpuPerNode, baseMemory, memoryPerNode).",
            run=(
                "kubectl",
                "edit",
                "configmap",
                "metrics-server-config",
                "-n",
                "kube-system",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Start it anew.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/metrics-server",
                "-n",
                "kube-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl top nodes wants an answer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-oomkilled-aks-clusters",
        "https://learn.microsoft.com/azure/aks/use-metrics-server-vertical-pod-autoscaler",
    ),
    leads_to=(
        "kubernetes.oom_killed",
        "kubernetes.served_api_down",
        "kubernetes.autoscaler_blind",
    ),
)
