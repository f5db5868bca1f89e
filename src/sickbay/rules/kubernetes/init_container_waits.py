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

_PATIENCE = 0.5
_MOMENT = 0.02


@each(Pod, TYPICAL)
def runs_on(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or not pod.status.init_container_statuses:
        return None
    sidecars = {c.name for c in pod.spec.init_containers or () if c.restart_policy == "Always"}
    for container in pod.status.init_container_statuses:
        running = container.state.running if container.state else None
        if running is None or container.name in sidecars:
            continue
        hours = hours_between(running.started_at, seen_at(pod, snapshot))
        if hours is None or hours < _MOMENT:
            return Clear(f"init container {container.name} has just begun")
        return Match(
            f"init container {container.name} of {pod.namespace}/{pod.name} runs since {running.started_at}, {hours:.1f} hours",
            facts={"container": container.name},
            cites=(
                pod.cite(
                    f"status.initContainerStatuses[{container.name}].state.running.startedAt",
                    running.started_at,
                ),
            ),
            at=running.started_at or "",
            # A young one is a fault only where a rollout has given up over it.
            felt_as=("kubernetes.rollout_stuck",) if hours < _PATIENCE else (),
        )
    return None


RULE = Rule(
    title="An init container does not end, so the pod never starts its program",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        runs_on,
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) 0/\d+ (?:Init:\d+/\d+|PodInitializing) \d+ (?:\([^)]{1,20}\) )?(?:[5-9]m|1[5-9]m|[2-9]\dm|\d{3,}m|\d+h|\d+d|\d+y)",
            says="the init containers of pod {pod} do not end",
            sample="NAME READY STATUS RESTARTS AGE\ncart-6c5d9f7b8-2xk4q   0/1   Init:0/2   0   41m",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-6c5d9f7b8-2xk4q   0/1   Init:0/2   0   41s",
            weight=TYPICAL,
        ),
    ),
    why="The containers of a pod start after every init container has ended with 0. This one runs on and on: mostly it waits for a service, a database or a migration that does not come.",
    remedy=(
        Step(
            "See what it waits for.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "-c",
                "{container}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring up what it waits for, or correct its address; the pod goes on by itself.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/init-containers/",),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.container_not_running",
    ),
)
