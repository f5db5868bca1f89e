from sickbay.model.kubernetes import ContainerPort, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service, ServicePort
from sickbay.rulekit import (
    DECISIVE,
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Step,
    each,
)


@each(Service, TYPICAL)
def forwards_to_unknown_port(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    selector = service.spec.selector
    if not selector or service.spec.type == "ExternalName":
        return None
    snapshot.require(Pod, service.namespace)
    pods = snapshot.labelled(Pod, service.namespace, selector)
    ports = [
        port for pod in pods for container in pod.spec.containers for port in container.ports or ()
    ]
    if not ports:
        return None
    for port in service.spec.ports or ():
        if not any(_is_meant(port, one) for one in ports):
            target = port.target_port if port.target_port is not None else port.port
            declared = ", ".join(
                sorted(
                    {f"{one.container_port}{f' ({one.name})' if one.name else ''}" for one in ports}
                )
            )
            return Match(
                f"{service.namespace}/{service.name} forwards to {target}, and its {len(pods)} pods declare {declared}",
                facts={"service": service.name, "target": str(target)},
                cites=(service.cite("spec.ports[*].targetPort", target),),
                # A name that no container has leads nowhere; a number that is not declared may still be served.
                weight=TYPICAL if isinstance(target, int) else DECISIVE,
            )
    return Clear(f"{service.namespace}/{service.name} forwards to ports that its pods declare")


def _is_meant(port: ServicePort, declared: ContainerPort) -> bool:
    target = port.target_port if port.target_port is not None else port.port
    if isinstance(target, str) and not target.isdigit():
        return declared.name == target
    return declared.container_port == int(target or 0)


RULE = Rule(
    title="A service forwards to a target port that its pods do not declare",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(forwards_to_unknown_port,),
    why="targetPort must be the port that the container listens on (or the name of one of its ports); traffic to another port is refused although pods and endpoints look healthy.",
    remedy=(
        Step(
            "Test the pod at the port that the service uses.",
            run=(
                "kubectl",
                "port-forward",
                "service/{service}",
                "-n",
                "{namespace}",
                "8080:{target}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Correct targetPort.",
            run=("kubectl", "edit", "service", "{service}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="a request to the service is answered",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=("network.connection_times_out",),
)
