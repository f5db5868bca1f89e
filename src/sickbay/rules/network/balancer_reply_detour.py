from sickbay.model.azure import Subnet
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import arm
from sickbay.model.routing import RouteTable
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import source_ranges
from sickbay.network.node_subnets import node_subnets
from sickbay.network.nsg_clients import is_public_address, public_address
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.routes import SOMEWHERE, asymmetry
from sickbay.network.traffic import Decider, Verdict
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Cite,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

IPV4 = 4


@each(Service, TYPICAL)
def answers_by_another_way(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.spec.type != "LoadBalancer":
        return None
    address = public_address(snapshot, service)
    if not address:
        return None
    ranges = [one for one in map(parse, source_ranges(service)) if one and one.version == IPV4]
    client = _first(ranges[0]) if ranges and ranges[0].length else SOMEWHERE
    for place in node_subnets(snapshot):
        decider = _detour(snapshot, place.subnet, client)
        if decider:
            return Match(
                f"{decider.kind} {decider.name} {decider.says.replace(f'to {SOMEWHERE}', 'for the internet', 1)}: {service.namespace}/{service.name} is reached at {address} directly",
                facts={
                    "service": service.name,
                    "address": address,
                    "subnet": arm(place.subnet).name,
                },
                cites=(
                    service.cite("status.loadBalancer.ingress", address),
                    *([Cite(decider.ref, "", decider.name)] if decider.ref else []),
                ),
            )
    return Clear(f"the answers of {service.namespace}/{service.name} leave as its requests come")


def _detour(snapshot: Snapshot, subnet: str, client: str) -> Decider | None:
    found = asymmetry(snapshot, subnet, client)
    if found is None:
        return None
    if found.decision.verdict is Verdict.UNKNOWN and found.decision.gaps:
        raise UnseenError(found.decision.gaps[0])
    if found.decision.verdict is not Verdict.BLOCKED or _comes_by_firewall(snapshot, subnet):
        return None
    return found.decision.by[0]


def _comes_by_firewall(snapshot: Snapshot, subnet: str) -> bool:
    """Whether one public address has a route of its own to the internet.

    That is how requests which a firewall translates to the public address find their way back.
    """
    found = snapshot.find(arm(subnet))
    table = found.route_table if isinstance(found, Subnet) else None
    routes = snapshot.find(arm(table.id)) if table and table.id else None
    return isinstance(routes, RouteTable) and any(
        (route.next_hop_type or "").casefold() == "internet"
        and is_public_address(route.address_prefix or "")
        for route in routes.routes or ()
    )


def _first(prefix: Prefix) -> str:
    octets = [(prefix.first >> shift) & 255 for shift in (24, 16, 8, 0)]
    return ".".join(map(str, octets))


RULE = Rule(
    title="Answers of a public load balancer leave through a firewall that never saw the request (asymmetric routing)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        answers_by_another_way,
        Signature(
            pattern=r"(?i)\basymmetric(?:al)? rout(?:e|es|ing)\b|SYN-?ACK .{0,80}?(?:leaves|goes|sent) .{0,40}?(?:via|through) (?:the )?firewall|(?:0\.0\.0\.0/0|default route|route table|UDR)\b.{0,120}?\b(?:firewall|virtual appliance|NVA)\b.{0,200}?\b(?:public (?:load ?balancer|IP|ingress)|load ?balancer (?:service|IP)|from (?:the )?(?:internet|outside))\b.{0,120}?\b(?:times? ?out|timing out|unreachable|not reachable|no longer (?:works?|reachable|answers?)|stopped)|\b(?:public (?:load ?balancer|IP|ingress)|load ?balancer|external ip)\b.{0,120}?\b(?:times? ?out|timing out|unreachable|not reachable|no longer (?:works?|reachable|answers?)|stopped)\b.{0,120}?\b(?:0\.0\.0\.0/0|default route|route table|UDR|(?:all )?egress (?:to|through|via))\b.{0,80}?\b(?:firewall|virtual ?appliance|NVA)\b",
            says="the way back differs from the way in",
            sample="SYN arrives on the node, SYN-ACK leaves via the firewall and is dropped (asymmetric routing)",
            near_miss="symmetric routing through the firewall",
            weight=TYPICAL,
        ),
    ),
    why="Requests to the public address of a service come straight from the internet to the nodes. A default route (0.0.0.0/0) of the node subnet to a firewall sends the answers there; the firewall has seen no request, drops them or gives them another sender, and clients time out although everything in the cluster works.",
    remedy=(
        Step(
            "Bring requests in through the firewall as well: a DNAT rule to an internal load balancer.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "service.beta.kubernetes.io/azure-load-balancer-internal=true",
                "--overwrite",
            ),
            risk=Risk.DISRUPTIVE,
            verify="a client reaches the service at the public address of the firewall",
        ),
        Step(
            "Or keep the public address: translate to {address} on the firewall, and route the public address of the firewall (/32) to the internet in the table of subnet {subnet}."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/limit-egress-traffic",
        "https://learn.microsoft.com/azure/firewall/integrate-lb",
    ),
    leads_to=("network.connection_times_out",),
    ask="curl -v --connect-timeout 5 telnet://{address}",
)
