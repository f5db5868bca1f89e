from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import Pod
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

# Volumes and images take their time, and so may a hook.
_PATIENCE_HOURS = 0.05


@each(Pod, TYPICAL)
def hook_does_not_end(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    """A container counts as being created until its postStart hook has ended."""
    if pod.status.phase != "Pending" or not pod.node:
        return None
    hooked = {c.name for c in pod.spec.containers if c.lifecycle and c.lifecycle.post_start}
    waiting = [c.name for c in pod.waiting if c.waiting and c.waiting.reason == "ContainerCreating"]
    held = [name for name in waiting if name in hooked]
    if not held:
        return None
    since = max(pod.status.start_time or "", pod.metadata.creation_timestamp or "")
    hours = hours_between(since, seen_at(pod, snapshot))
    if hours is None or hours < _PATIENCE_HOURS:
        return Clear(f"container {held[0]} of {pod.namespace}/{pod.name} has just begun")
    return Match(
        f"container {held[0]} of {pod.namespace}/{pod.name} has a postStart hook and is not made after {hours * 60:.0f} minutes: the hook may not end",
        facts={"container": held[0]},
        cites=(pod.cite(f"status.containerStatuses[{held[0]}].state.waiting.reason", waiting[0]),),
        at=since,
    )


RULE = Rule(
    title="The postStart hook of a container fails or does not end, so the container is killed or never counts as made",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        hook_does_not_end,
        Signature(
            pattern=r"FailedPostStartHook|PostStartHookError|\bPostStartHook failed",
            says="the postStart hook of a container fails",
            sample="Warning  FailedPostStartHook  3s (x4 over 60s)  kubelet  PostStartHook failed",
            near_miss="Warning  FailedPreStopHook  3s  kubelet  PreStopHook failed",
        ),
    ),
    why="The kubelet runs the postStart hook beside the container's program, and kills the container when the hook fails: its command does not exist, ends with another code than 0, or asks the program before it listens. While the hook runs the container counts as being created, so one that waits for ever keeps the pod in ContainerCreating. The program's own log shows nothing wrong.",
    remedy=(
        Step(
            "Read what the hook runs.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].lifecycle}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the hook, let it wait for the program, or do its work in an init container or in the program.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a restart count that stands still",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/",),
    leads_to=(
        "kubernetes.killed_not_oom",
        "kubernetes.exits_at_once",
        "kubernetes.program_fails",
        "kubernetes.crash_loop",
        "kubernetes.container_creating_stuck",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
