from sickbay.model.evidence import UnseenError
from sickbay.model.routing import LoadBalancer
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import front
from sickbay.network.services_ports import protocol_of
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

# A controller of ingresses answers 404 for every host and path that no ingress has.
REFUSES_ROOT = ("app.kubernetes.io/name", "ingress-nginx")
ROOT = " / of each node"


@each(Service)
def asks_a_path_in_vain(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.spec.type != "LoadBalancer" or service.spec.load_balancer_class:
        return None
    if not snapshot.holds(LoadBalancer.kind):
        snapshot.require(LoadBalancer)
        return None
    for port in service.spec.ports or ():
        found = front(snapshot, service, port.port, protocol_of(port))
        gap = next((one for one in found.decision.gaps if one.source == "probe"), None)
        if gap is None:
            continue
        probe = next(one for one in found.decision.considered if "wants 200" in one.says)
        key, value = REFUSES_ROOT
        pods = [one.pod for one in found.wiring.backends if one.pod]
        if ROOT not in probe.says or not any(pod.labels.get(key) == value for pod in pods):
            raise UnseenError(gap)
        return Match(
            f"load balancer {probe.name} {probe.says}, and ingress-nginx answers / with 404 (service {service.namespace}/{service.name})",
            facts={"service": service.name},
            cites=(service.cite("spec.ports[*].appProtocol", port.app_protocol),),
        )
    return Clear(f"the probes for {service.namespace}/{service.name} want no path of the program")


RULE = Rule(
    title="The load balancer probes a path that the ingress controller does not answer with 200",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        asks_a_path_in_vain,
        Signature(
            pattern=r"(?i)(?:load ?balancer|ingress|nginx|kong|traefik)\b.{0,250}?health[ -]?probes?\b.{0,250}?(?:path (?:as|of|is|to|was|set to|becomes) ?\"?/\"?(?: |\.|$)|HTTPS? (?:and HTTPS )?instead of TCP|wrong path|incorrect path|/healthz)|health[ -]?probes?\b.{0,200}?(?:path (?:as|of|is|to) ?\"?/\"?(?: |\.|$)|HTTP(?:/| and )HTTPS instead of TCP).{0,250}?(?:not (?:working|reachable)|fail|stopped)|health[ -]?probes? .{0,60}?\bHTTPS?\b.{0,20}?\b(?:with|on|to|at|and) (?:the )?(?:request )?path \"?/\"?(?: |,|\.|$)|incorrect path for \S{0,20} ?(?:nginx |ingress )*health probes?",
            says="the load balancer probes a path that its target does not serve",
            sample="After the upgrade the load balancer stopped working: its health probes use HTTP and HTTPS instead of TCP",
            near_miss="the health probe of the load balancer uses TCP",
            weight=TYPICAL,
        ),
    ),
    why="For a port whose appProtocol is http or https the probe of the load balancer is an HTTP request for / unless an annotation names another path. ingress-nginx answers it with 404, so every node counts as unhealthy and the address does not answer, though all pods run.",
    remedy=(
        Step(
            "Let the probe ask the path that the controller answers.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "service.beta.kubernetes.io/azure-load-balancer-health-probe-request-path=/healthz",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="the metric DipAvailability of the load balancer is 100",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=("network.health_probe_fails", "network.connection_times_out"),
)
