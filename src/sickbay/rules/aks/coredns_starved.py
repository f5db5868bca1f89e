from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def is_killed_for_memory(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if pod.namespace != "kube-system" or pod.labels.get("k8s-app") != "kube-dns":
        return None
    for container in pod.statuses:
        ended = container.last_termination
        if ended is not None and ended.reason == "OOMKilled":
            return Match(
                f"{pod.name} was killed for want of memory, {container.restart_count or 0} restarts",
                cites=(
                    pod.cite(f"status.containerStatuses[{container.name}].lastState", "OOMKilled"),
                ),
                at=ended.finished_at or "",
            )
    return Clear(f"{pod.name} was not killed for want of memory")


RULE = Rule(
    title="CoreDNS is killed for want of memory: too few replicas carry the queries",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_killed_for_memory,
        Signature(
            pattern=r"\bcoredns-\w+-\w+ \d+/\d+ OOMKilled\b|\bcoredns-\w+-\w+\b.{0,200}?\bOOMKilled\b",
            says="CoreDNS was killed for want of memory",
            sample="kube-system coredns-845757d86-7xjqb 0/1 OOMKilled 7 2d",
            near_miss="kube-system coredns-845757d86-7xjqb 1/1 Running 7 2d",
        ),
    ),
    why="Each CoreDNS pod has a fixed memory limit, and the number of pods follows the number of nodes and cores. A burst of queries (wrong search domains, no caching, a chatty job) is more than they hold, so they are OOMKilled and names fail in the whole cluster.",
    remedy=(
        Step(
            "See how often, and how many there are.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=kube-dns",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the autoscaler of CoreDNS keep more replicas (coresPerReplica and nodesPerReplica lower, min higher).",
            run=(
                "kubectl",
                "edit",
                "configmap",
                "coredns-autoscaler",
                "-n",
                "kube-system",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -n kube-system -l k8s-app=kube-dns wants more pods, without restarts",
        ),
        Step(
            "Take load away: LocalDNS or node-local caching, names that end in a dot, ndots below 5."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-oomkilled-aks-clusters",
        "https://learn.microsoft.com/azure/aks/coredns-custom",
    ),
    leads_to=(
        "kubernetes.oom_killed",
        "kubernetes.coredns_down",
    ),
    spreads=True,
)
