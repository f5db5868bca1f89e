from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

SIGKILL = 137


@each(Pod, TYPICAL)
def ends_with_killed_signal(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container, ended in pod.crashing:
        if ended.exit_code == SIGKILL and ended.reason != "OOMKilled":
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} is killed with SIGKILL (exit code 137), and not for memory",
                facts={"container": container.name, "code": str(ended.exit_code)},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].lastState.terminated.exitCode",
                        ended.exit_code,
                    ),
                ),
                at=ended.finished_at or "",
            )
    return None


RULE = Rule(
    title="A container is killed with SIGKILL (exit code 137), but not by its memory limit",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        ends_with_killed_signal,
        Signature(
            pattern=r"Terminated Reason: Error Exit Code: 137\b",
            says="a container ended with exit code 137 without OOMKilled",
            sample="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    137",
            near_miss="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    1",
            weight=TYPICAL,
        ),
    ),
    why="Exit code 137 with reason Error means SIGKILL from outside: the container did not stop within its grace period after a failed liveness probe, an eviction or a node shutdown, or a child process hit the memory limit.",
    remedy=(
        Step(
            "Look for the liveness probe, the eviction or the drain that killed it.",
            run=("kubectl", "get", "events", "-n", "{namespace}", "--sort-by=.lastTimestamp"),
            risk=Risk.READ,
        ),
        Step(
            "Make the program answer its liveness probe and end on SIGTERM in time, or lengthen terminationGracePeriodSeconds.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a restart count that stands still",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/identify-memory-saturation-aks",
        "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination",
    ),
    leads_to=("kubernetes.crash_loop",),
)
