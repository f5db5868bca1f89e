from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import ContainerStatus, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each

# A kill of last week that the container survived is history: it counts when the container is down now, or dies again and again.
RECENT_HOURS = 24
OFTEN = 3


@each(Pod)
def ran_out_of_memory(pod: Pod, snapshot: Snapshot) -> Match | None:
    for container in pod.statuses:
        ended = container.last_termination
        if ended is None or ended.reason != "OOMKilled" or not _matters(container, pod, snapshot):
            continue
        spec = next(
            (
                c
                for c in (*pod.spec.containers, *(pod.spec.init_containers or ()))
                if c.name == container.name
            ),
            None,
        )
        limit = (spec.resources.limits or {}).get("memory") if spec and spec.resources else None
        return Match(
            f"container {container.name} of {pod.namespace}/{pod.name} was OOMKilled ({container.restart_count or 0} restarts, memory limit {limit or 'unknown'})",
            facts={"container": container.name, "limit": str(limit or "unknown")},
            cites=(
                pod.cite(
                    f"status.containerStatuses[{container.name}].lastState.terminated.reason",
                    "OOMKilled",
                ),
            ),
            at=ended.finished_at or "",
        )
    return None


def _matters(container: ContainerStatus, pod: Pod, snapshot: Snapshot) -> bool:
    state = container.state
    if state and (state.waiting or state.terminated):
        return True
    ended = container.last_termination
    hours = hours_between(ended.finished_at if ended else None, seen_at(pod, snapshot))
    return (container.restart_count or 0) >= OFTEN and hours is not None and hours <= RECENT_HOURS


RULE = Rule(
    title="A container exceeds its memory limit and is killed (OOMKilled)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        ran_out_of_memory,
        Signature(
            pattern=r"\bOOMKilled\b|Memory cgroup out of memory: Killed process|oom-kill:constraint=CONSTRAINT_MEMCG|container init was OOM-killed|memory limit too low\?|memory(?:\.limit_in_bytes|\.max): device or resource busy",
            says="a container was killed because it reached its memory limit",
            sample="Last State:     Terminated\n  Reason:       OOMKilled\n  Exit Code:    137",
            near_miss="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    1",
            unless=r"Node ?Allocatable",
        ),
        Signature(
            pattern=r"waiting for init preliminary setup: read init-p: connection reset by peer",
            says="a container ended before its program began, as one does with too little memory",
            sample="OCI runtime create failed: runc create failed: unable to start container process: waiting for init preliminary setup: read init-p: connection reset by peer: unknown",
            near_miss='OCI runtime create failed: runc create failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?:Error|error|failed|fork/exec)\b.{0,80}?: signal: killed\b|invoked oom-killer: gfp_mask|: line \d+: +\d+ Killed +\S|worker process \d+ exited on signal 9\b|mem_cgroup_oom_synchronize",
            says="a process that the program started was killed, as the kernel does when memory runs out",
            sample="Error: signal: killed",
            near_miss="Error: signal: terminated",
            weight=TYPICAL,
        ),
    ),
    why="The container used more memory than its limit allows, and the kernel's out-of-memory killer ended it (exit code 137): the limit is too low for the work, or the program leaks memory.",
    remedy=(
        Step(
            "See what the container really uses.",
            run=("kubectl", "top", "pod", "{pod}", "-n", "{namespace}", "--containers"),
            risk=Risk.READ,
        ),
        Step(
            "Raise the memory limit (and request) of the container.",
            run=(
                "kubectl",
                "set",
                "resources",
                "deployment/<deployment>",
                "-n",
                "{namespace}",
                "--limits=memory=<limit>",
                "--requests=memory=<request>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod -n {namespace} shows a restart count that stands still",
        ),
        Step("If use grows without end whatever the limit, mend the leak in the program."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-oomkilled-aks-clusters",
        "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
    ),
    leads_to=(
        "network.backend_refuses",
        "network.connection_refused",
        "kubernetes.crash_loop",
        "kubernetes.probe_failed",
        "network.connection_times_out",
        "kubernetes.container_start_fails",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
