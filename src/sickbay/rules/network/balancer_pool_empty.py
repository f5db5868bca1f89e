from sickbay.model.evidence import UnseenError
from sickbay.model.routing import LoadBalancer
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import front
from sickbay.network.services_ports import protocol_of
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

POOL = "backend pool"


@each(Service)
def has_no_member(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.spec.type != "LoadBalancer" or service.spec.load_balancer_class:
        return None
    if not snapshot.holds(LoadBalancer.kind):
        snapshot.require(LoadBalancer)
        return None
    for port in service.spec.ports or ():
        decision = front(snapshot, service, port.port, protocol_of(port)).decision
        deciders = [one for one in decision.by if one.kind == "LoadBalancer"]
        if decision.verdict is Verdict.UNKNOWN and deciders:
            raise UnseenError(decision.gaps[0])
        if decision.verdict is Verdict.BLOCKED and deciders and POOL in deciders[0].says:
            return Match(
                f"load balancer {deciders[0].name} {deciders[0].says} (service {service.namespace}/{service.name})",
                facts={"service": service.name, "balancer": deciders[0].name},
                cites=(
                    service.cite(
                        "spec.externalTrafficPolicy",
                        service.spec.external_traffic_policy or "Cluster",
                    ),
                ),
            )
    return Clear(
        f"the backend pool of {service.namespace}/{service.name} has members that can answer"
    )


RULE = Rule(
    title="No node that can answer is in the backend pool of the load balancer",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        has_no_member,
        Signature(
            pattern=r"UnAvailableLoadBalancer|There are no available nodes for LoadBalancer",
            says="no node is available for the load balancer of a service",
            sample="Warning  UnAvailableLoadBalancer  3m  service-controller  There are no available nodes for LoadBalancer",
            near_miss="Normal  EnsuredLoadBalancer  3m  service-controller  Ensured load balancer",
        ),
    ),
    why="The load balancer sends traffic to the nodes in its backend pool only. Nodes are left out while they carry the label node.kubernetes.io/exclude-from-external-load-balancers, when their pool was made without load balancing or stopped, or when they are not ready; with externalTrafficPolicy Local a node counts only if a ready pod of the service runs on it.",
    remedy=(
        Step(
            "See the members of the pools.",
            run=(
                "az",
                "network",
                "lb",
                "address-pool",
                "list",
                "--resource-group",
                "{node_resource_group}",
                "--lb-name",
                "{balancer}",
                "--query",
                "[].{pool:name,members:length(backendIPConfigurations || `[]`)}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which nodes are kept out.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-L",
                "node.kubernetes.io/exclude-from-external-load-balancers",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take the label from nodes that should serve, or let traffic go on to other nodes.",
            run=(
                "kubectl",
                "patch",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"spec":{"externalTrafficPolicy":"Cluster"}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="the metric DipAvailability of the load balancer is above 0",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://kubernetes.io/docs/tasks/access-application-cluster/create-external-load-balancer/",
    ),
    leads_to=("network.connection_times_out", "network.health_probe_fails"),
)
