from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_backends import is_over
from sickbay.network.services_pods import selected
from sickbay.network.services_ports import Target, declared, number_on, protocol_of
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Service, TYPICAL)
def moves_no_port(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if not service.spec.is_headless or not service.spec.selector:
        return None
    snapshot.require(Pod, service.namespace)
    pods = [pod for pod in selected(snapshot, service) if not is_over(pod)]
    name = f"{service.namespace}/{service.name}"
    for port in service.spec.ports or ():
        target = Target(port, protocol_of(port))
        numbers = {number_on(pod, target) for pod in pods} - {None}
        known = {one.container_port for pod in pods for one in declared(pod)}
        if len(numbers) == 1 and port.port not in numbers | known:
            number = next(iter(numbers))
            return Match(
                f"{name} is headless, so a client that dials its port {port.port} meets no listener: its pods have {number}",
                facts={"service": service.name, "port": str(port.port), "number": str(number)},
                cites=(service.cite("spec.ports[*].targetPort", port.target_port),),
            )
    return Clear(f"the ports of {name} are those of its pods")


RULE = Rule(
    title="A headless service maps a port to another, which nothing does for it",
    severity=Severity.INFO,
    categories=(Category.CONNECTIVITY,),
    detect=(moves_no_port,),
    why="A service with clusterIP None has no address at which a port could be translated: its name gives the addresses of the pods, and clients dial the pods' own ports. A targetPort that differs from port counts only in SRV records.",
    remedy=(
        Step(
            "Let clients use port {number}, or make port and targetPort of {service} equal; a service with a cluster address translates them.",
            risk=Risk.DISRUPTIVE,
            verify="a connection to {service}.{namespace} at port {number} is accepted",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/service/",
        "https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/",
    ),
)
