from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


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


RULE = Rule(
    title="A probe names a port that its container does not declare",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        probes_no_port,
        Signature(
            pattern=r"probe (?:failed|errored)[^:]{0,60}:.{0,100}?(?:couldn't find port: |strconv\.(?:Atoi|ParseInt): parsing )\"?(?P<port>[\w.-]+)",
            says="the probe names port {port}, which the container does not declare",
            sample='Warning  Unhealthy  3s  kubelet  Liveness probe errored: strconv.Atoi: parsing "http-alt": invalid syntax',
            near_miss='Warning  Unhealthy  3s  kubelet  Liveness probe failed: Get "http://10.1.0.4:8080/": dial tcp 10.1.0.4:8080: connect: connection refused',
        ),
    ),
    why="A probe may give its port by name, and the kubelet looks the name up among the ports of the container; a name that is not there is no number either, so every probe fails.",
    remedy=(
        Step(
            "Compare the names.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].ports[*].name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name the port {port} in the ports of the container, or give the probe its number.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    ),
    leads_to=("kubernetes.probe_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
