from sickbay.model.evidence import UnseenError
from sickbay.model.routing import LoadBalancer
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import addresses_of
from sickbay.network.exposure_balancer import Frontage, of_balancer
from sickbay.network.services_ports import protocol_of
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

POOL = "backend pool"


@each(Service)
def is_not_served(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    addresses = addresses_of(snapshot, service)
    # Another class is another balancer than Azure's; one without an address is still being made.
    if service.spec.type != "LoadBalancer" or service.spec.load_balancer_class or not addresses:
        return None
    if not snapshot.holds(LoadBalancer.kind):
        snapshot.require(LoadBalancer)
        return None
    for port in service.spec.ports or ():
        front = Frontage(snapshot, service, addresses, port.port or 0, protocol_of(port))
        # Somebody asked for a port without a rule.
        if front.note("no_lb_rule").casefold() == "true":
            continue
        last = list(of_balancer(front, ()))[-1]
        if last.verdict is Verdict.UNKNOWN:
            raise UnseenError(last.gaps[0])
        if last.verdict is Verdict.BLOCKED and POOL not in last.by[0].says:
            return Match(
                f"load balancer {last.by[0].name} {last.by[0].says} (service {service.namespace}/{service.name})",
                facts={
                    "service": service.name,
                    "balancer": last.by[0].name,
                    "port": str(port.port),
                },
                cites=(service.cite("spec.ports[*].port", port.port),),
            )
    return Clear(
        f"the load balancer has a rule and a probe for each port of {service.namespace}/{service.name}"
    )


RULE = Rule(
    title="The Azure load balancer lacks a frontend, rule or right probe for a port of a service",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(is_not_served,),
    why="For each port of a service of type LoadBalancer the cloud controller keeps a frontend, a load balancing rule and a health probe on the node port. When they were changed or deleted outside of Kubernetes, or the controller failed half-way, the address is there and connections to it time out.",
    remedy=(
        Step(
            "See the rules and probes that there are.",
            run=(
                "az",
                "network",
                "lb",
                "rule",
                "list",
                "--resource-group",
                "{node_resource_group}",
                "--lb-name",
                "{balancer}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read what the controller last said of the service.",
            run=("kubectl", "describe", "service", "{service}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Have the controller set it up again: any change of an annotation makes it look at the service.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "reconcile-asked=1",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="az network lb rule list --resource-group {node_resource_group} --lb-name {balancer} wants a rule for port {port}",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/azure/aks/internal-lb",
    ),
    leads_to=("network.connection_times_out", "network.health_probe_fails"),
)
