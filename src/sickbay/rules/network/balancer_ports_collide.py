from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_ADDRESS = "service.beta.kubernetes.io/azure-load-balancer-ipv4"


@each(Service)
def wants_a_taken_port(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    wanted = service.spec.load_balancer_ip or service.annotations.get(_ADDRESS, "")
    if service.spec.type != "LoadBalancer" or not wanted or _addresses(service):
        return None
    for other in snapshot.all(Service):
        shared = _ports(service) & _ports(other)
        if other.ref != service.ref and wanted in _addresses(other) and shared:
            port, protocol = min(shared)
            return Match(
                f"service {service.namespace}/{service.name} asks for {wanted} and has no address, for {other.namespace}/{other.name} has {protocol} {port} there",
                facts={"address": wanted, "port": str(port)},
                cites=(service.cite("spec.loadBalancerIP", wanted),),
            )
    return Clear(f"no other service has the ports of {service.name} at {wanted}")


def _addresses(service: Service) -> list[str]:
    balancer = service.status.load_balancer
    return [one.ip for one in (balancer and balancer.ingress) or () if one.ip]


def _ports(service: Service) -> set[tuple[int, str]]:
    if service.spec.type != "LoadBalancer":
        return set()
    return {(one.port, one.protocol or "TCP") for one in service.spec.ports or () if one.port}


RULE = Rule(
    title="Two rules of the Azure load balancer want the same port on the same frontend or backend",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        wants_a_taken_port,
        Signature(
            pattern=r"\bRulesUseSame(?:Frontend|Backend)Port\w*|\bLoadBalancingRules?\w*(?:Same|Duplicate)\w*Port\w*|(?:Load balanc(?:ing|er)|Inbound NAT) rules? .{0,600}?use the same (?:frontend |backend )?(?:port|protocol)|\bmultiple services? use the same (?:port|frontend)\b",
            says="two rules of the load balancer want the same port",
            sample='{"error":{"code":"RulesUseSameFrontendPortProtocolAndIPConfig","message":"Load balancing rules /a and /b with floatingIP disabled use the same protocol"}}',
            near_miss="Load balancing rule a was written",
        ),
    ),
    why="On one frontend each port and protocol can have one rule, and without floating IP each backend port of a pool one rule. Two services that share an address, or a rule that somebody made by hand, want the same.",
    remedy=(
        Step(
            "See which services share the address.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give one of them another port or address, or delete the rule that was made by hand.",
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
    ),
    leads_to=("kubernetes.load_balancer_fails", "kubernetes.load_balancer_pending"),
    docs=("https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",),
    ask="az network lb rule list -g {node_resource_group} --lb-name kubernetes -o table",
)
