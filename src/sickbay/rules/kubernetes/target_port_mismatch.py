from sickbay.model.kubernetes import ContainerPort, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service, ServicePort
from sickbay.network.services_backends import is_over
from sickbay.network.services_pods import selected
from sickbay.network.services_ports import (
    Target,
    declared,
    is_undeclared,
    number_on,
    protocol_of,
    spelled,
)
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# What these declare is their own; and a port for watching says nothing of where the program serves.
PROXIES = frozenset({"istio-proxy", "linkerd-proxy", "daprd", "osm-envoy", "envoy"})
WATCHING = ("metric", "prom", "health", "probe", "ready", "live", "admin", "debug")


@each(Service)
def forwards_to_unknown_port(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    spec = service.spec
    # A headless service translates no port.
    if not spec.selector or spec.type == "ExternalName" or spec.is_headless:
        return None
    snapshot.require(Pod, service.namespace)
    pods = [pod for pod in selected(snapshot, service) if not is_over(pod)]
    if not pods:
        return None
    for index, port in enumerate(spec.ports or ()):
        target = Target(port, protocol_of(port))
        if all(_is_unknown(pod, target) for pod in pods):
            return _match(service, index, port, pods)
    return Clear(f"{service.namespace}/{service.name} forwards to ports that its pods declare")


def _is_unknown(pod: Pod, target: Target) -> bool:
    meant = target.meant
    if isinstance(meant, str):
        return number_on(pod, target) is None
    return is_undeclared(pod, meant, target.protocol) and bool(_own_ports(pod))


def _own_ports(pod: Pod) -> list[ContainerPort]:
    """The ports at which the program of a pod is known to serve."""
    foreign = [p for c in pod.spec.containers if c.name in PROXIES for p in c.ports or ()]
    return [
        port
        for port in declared(pod)
        if port not in foreign and not any(word in (port.name or "") for word in WATCHING)
    ]


def _match(service: Service, index: int, port: ServicePort, pods: list[Pod]) -> Match:
    target = Target(port, protocol_of(port))
    shown = f"{target.meant}{'' if target.protocol == 'TCP' else '/' + target.protocol}"
    ports = spelled(one for pod in pods for one in declared(pod))
    fitting = {
        one.container_port
        for pod in pods
        for one in _own_ports(pod)
        if protocol_of(one) == target.protocol
    }
    right = str(fitting.pop()) if len(fitting) == 1 else '"<port>"'
    return Match(
        f"{service.namespace}/{service.name} forwards to {shown}, and its {len(pods)} pods declare {ports}",
        facts={
            "service": service.name,
            "target": str(target.meant),
            "port": str(port.port),
            "patch": f'[{{"op":"add","path":"/spec/ports/{index}/targetPort","value":{right}}}]',
        },
        cites=(service.cite(f"spec.ports[{index}].targetPort", target.meant),),
        # A name that no container has leads nowhere; a number that is not declared may still be served.
        weight=None if isinstance(target.meant, str) else TYPICAL,
    )


RULE = Rule(
    title="A service forwards to a target port that its pods do not declare",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(forwards_to_unknown_port,),
    why="targetPort must be the port that the container listens on (or the name of one of its ports), in the same protocol; traffic to another port is refused although pods and endpoints look healthy, and pods without a port of the name are not even published.",
    remedy=(
        Step(
            "Test the pod at the port that the service uses.",
            run=(
                "kubectl",
                "port-forward",
                "service/{service}",
                "-n",
                "{namespace}",
                "8080:{port}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Correct targetPort.",
            run=(
                "kubectl",
                "patch",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "--type",
                "json",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a request to the service is answered",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=(
        "network.backend_refuses",
        "network.connection_refused",
        "network.connection_times_out",
        "network.pod_port_closed",
        "kubernetes.service_no_endpoints",
        "kubernetes.program_fails",
    ),
    ask="kubectl port-forward service/{service} -n {namespace} 8080:{port}",
)
