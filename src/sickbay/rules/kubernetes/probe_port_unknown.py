from sickbay.model.ages import hours_between, seen_at
from sickbay.model.kubernetes import ContainerStatus, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
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

# A pod may take a few minutes to become ready.
PATIENCE_HOURS = 0.25
_OFTEN = 3
_STOPPED = frozenset({137, 143})  # by the kubelet


@each(Deployment)
def probes_no_port(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    template = deployment.spec.template
    for container in template.spec.containers if template else ():
        names = {port.name for port in container.ports or ()}
        for probe, asked in container.probes.items():
            port = asked.port
            if isinstance(port, str) and not port.isdecimal() and port not in names:
                return Match(
                    f"{probe} of container {container.name} in {deployment.namespace}/{deployment.name} asks port {port}, which it does not declare",
                    facts={"port": port},
                    cites=(
                        deployment.cite(
                            f"spec.template.spec.containers[{container.name}].{probe}", port
                        ),
                    ),
                )
    return Clear(
        f"the probes of {deployment.namespace}/{deployment.name} name ports that are there"
    )


@each(Pod, TYPICAL)
def probes_where_none_listens(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    declared = {port.container_port for one in pod.spec.containers for port in one.ports or ()}
    if not declared or pod.status.phase != "Running" or pod.metadata.deletion_timestamp:
        return None
    now = seen_at(pod, snapshot)
    for container in pod.spec.containers:
        status = next((one for one in pod.statuses if one.name == container.name), None)
        for probe, asked in container.probes.items():
            number = asked.number
            if not container.ports or number is None or number in declared or status is None:
                continue
            suffers = _is_killed(status) if probe != "readinessProbe" else _waits(status, now)
            if suffers:
                return Match(
                    f"{probe} of container {container.name} in {pod.namespace}/{pod.name} asks port {number}, the pod declares {', '.join(map(str, sorted(port for port in declared if port)))}, and {suffers}",
                    facts={"port": str(number)},
                    cites=(pod.cite(f"spec.containers[{container.name}].{probe}", number),),
                )
    return Clear(f"no probe of {pod.namespace}/{pod.name} fails for its port")


def _is_killed(status: ContainerStatus) -> str:
    ended, times = status.last_termination, status.restart_count or 0
    if ended is None or times < _OFTEN or ended.exit_code not in _STOPPED:
        return ""
    return f"it was stopped {times} times" if ended.reason != "OOMKilled" else ""


def _waits(status: ContainerStatus, now: str) -> str:
    running = status.state.running if status.state else None
    hours = hours_between(running.started_at if running else None, now)
    if status.ready is not False or hours is None or hours < PATIENCE_HOURS:
        return ""
    return f"it runs for {hours:.1f} hours without becoming ready"


RULE = Rule(
    title="A probe asks a port that its container does not declare",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        probes_no_port,
        probes_where_none_listens,
        Signature(
            pattern=r"probe (?:failed|errored)[^:]{0,60}:.{0,100}?(?:couldn't find port: |strconv\.(?:Atoi|ParseInt): parsing )\"?(?P<port>[\w.-]+)",
            says="the probe names port {port}, which the container does not declare",
            sample='Warning  Unhealthy  3s  kubelet  Liveness probe errored: strconv.Atoi: parsing "http-alt": invalid syntax',
            near_miss='Warning  Unhealthy  3s  kubelet  Liveness probe failed: Get "http://10.1.0.4:8080/": dial tcp 10.1.0.4:8080: connect: connection refused',
        ),
    ),
    why="A probe may give its port by name, and the kubelet looks the name up among the ports of the container; a name that is not there is no number either, so every probe fails. A number need not be declared, but where it is none of those that are, mostly nothing listens there.",
    remedy=(
        Step(
            "See the ports that are declared.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].ports}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the probe the number of a port on which the program listens, or a name that stands among the ports of the container.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    ),
    leads_to=(
        "kubernetes.probe_failed",
        "kubernetes.probe_refused",
        "kubernetes.readiness_fails",
        "kubernetes.liveness_kills",
        "kubernetes.killed_not_oom",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
