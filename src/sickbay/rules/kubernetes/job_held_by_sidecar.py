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

_FAREWELL = 0.1


@each(Pod, TYPICAL)
def is_held(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    owner = pod.owner
    if owner is None or owner.kind != "Job" or pod.status.phase != "Running":
        return None
    done, running = "", ""
    for container in pod.status.container_statuses or ():
        ended = container.state.terminated if container.state else None
        if ended and ended.exit_code == 0:
            done, finished = container.name, ended.finished_at or ""
        elif container.state and container.state.running:
            running = container.name
    if not (done and running):
        return None
    hours = hours_between(finished, seen_at(pod, snapshot))
    if hours is None or hours < _FAREWELL:
        return Clear(f"container {done} has only just ended")
    return Match(
        f"container {done} of {pod.namespace}/{pod.name} is done since {finished}, and {running} still runs",
        facts={"container": running, "done": done, "job": owner.name},
        cites=(pod.cite(f"status.containerStatuses[{done}].state.terminated.exitCode", 0),),
        at=finished,
    )


RULE = Rule(
    title="A job does not complete because a sidecar in its pod keeps running after the work is done",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        is_held,
        Signature(
            # kubectl prints NotReady for a pod only where one container is done and another runs.
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/(?:[2-9]|\d\d) NotReady \d+ (?:\([^)]{1,20}\) )?(?:1[0-9]m|[2-9]\dm|\d{3,}m|\d+h|\d+d)",
            says="a container of pod {pod} is done, and another still runs",
            sample="NAME READY STATUS RESTARTS AGE\nimport-28412340-xk2p   1/2   NotReady   0   3h",
            near_miss="NAME READY STATUS RESTARTS AGE\nimport-28412340-xk2p   1/2   NotReady   0   12s",
            weight=TYPICAL,
        ),
    ),
    why="A job counts a pod as done when all its containers have ended. A proxy or agent beside the work (Istio, Linkerd, Dapr, Vault, a Cloud SQL proxy, a log shipper) knows nothing of that and runs on, so that the job never completes and a cron job that forbids overlap never starts again.",
    remedy=(
        Step(
            "See which container still runs.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Make the sidecar a native one: an init container with restartPolicy Always (Istio: ENABLE_NATIVE_SIDECARS, Kubernetes 1.29 or newer), which ends with the pod.",
            risk=Risk.DISRUPTIVE,
            verify="the next job completes",
        ),
        Step(
            "Or leave the injection out for this job (sidecar.istio.io/inject: false), or let the program tell the sidecar to quit when it is done."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/",
        "https://istio.io/latest/blog/2023/native-sidecars/",
    ),
    leads_to=("kubernetes.cron_overlap_forbidden", "kubernetes.condition_timeout"),
    ask="kubectl get pods -n {namespace} -o json",
)
