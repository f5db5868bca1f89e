from sickbay.model.ids import arm
from sickbay.model.security import NetworkSecurityGroup
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import source_ranges
from sickbay.network.nsg_clients import closed_at, public_address
from sickbay.network.services_ports import protocol_of
from sickbay.network.traffic import Decider, Traffic
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

FIRST, LAST = 100, 4096


@each(Service)
def is_closed_at_the_nodes(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if service.spec.type != "LoadBalancer":
        return None
    address = public_address(snapshot, service)
    if not address:
        return None
    if not snapshot.holds(NetworkSecurityGroup.kind):
        snapshot.require(NetworkSecurityGroup)
        return None
    for port in service.spec.ports or ():
        traffic = Traffic(protocol_of(port), port.port)
        found = closed_at(snapshot, service, traffic)
        if found:
            return _match(service, snapshot, traffic, found.by[0])
    return Clear(f"the security groups of the nodes let clients reach {address}")


def _match(service: Service, snapshot: Snapshot, traffic: Traffic, by: Decider) -> Match:
    address = public_address(snapshot, service)
    found = snapshot.find(arm(by.ref.parent)) if by.ref else None
    group = found if isinstance(found, NetworkSecurityGroup) else None
    return Match(
        f"security group rule {by.name} {by.says}: clients of {service.namespace}/{service.name} cannot reach {address} at {traffic}",
        facts={
            "group": by.name.partition("/")[0],
            "group_group": arm(by.ref.id).group if by.ref else "<nsg-group>",
            "rule": f"allow-{service.namespace}-{service.name}-{traffic.port}",
            "address": address,
            "port": str(traffic.port),
            "priority": _free_priority(group, by),
            "protocol": traffic.protocol.capitalize(),
            "sources": next(iter(source_ranges(service)), "") or "Internet",
        },
        cites=(
            service.cite("status.loadBalancer.ingress", address),
            *([group.cite("securityRules", by.says)] if group else []),
        ),
    )


def _free_priority(group: NetworkSecurityGroup | None, by: Decider) -> str:
    """The first priority that no rule has, and that comes before the rule that decides."""
    rules = [one for one in (group.security_rules if group else None) or () if one.priority]
    inbound = {one.priority: one.name for one in rules if one.direction == "Inbound"}
    decider = by.name.rpartition("/")[2]
    last = min((key for key, name in inbound.items() if key and name == decider), default=LAST)
    free = (str(number) for number in range(FIRST, last) if number not in inbound)
    return next(free, "<free-priority>") if group else "<free-priority>"


RULE = Rule(
    title="A network security group (NSG) on the node subnet blocks the port of a public load balancer",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(is_closed_at_the_nodes,),
    why="The load balancer does not change the packets of a client: at the nodes they still come from the internet and go to the public address and the port of the service. AKS opens the port in its own group at the interfaces of the nodes, never in a group that a user has put on the subnet, and traffic must pass both.",
    remedy=(
        Step(
            "See the rules of the group.",
            run=(
                "az",
                "network",
                "nsg",
                "rule",
                "list",
                "--resource-group",
                "{group_group}",
                "--nsg-name",
                "{group}",
                "--include-default",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Open the port for the public address of the service.",
            run=(
                "az",
                "network",
                "nsg",
                "rule",
                "create",
                "--resource-group",
                "{group_group}",
                "--nsg-name",
                "{group}",
                "--name",
                "{rule}",
                "--priority",
                "{priority}",
                "--direction",
                "Inbound",
                "--access",
                "Allow",
                "--protocol",
                "{protocol}",
                "--source-address-prefixes",
                "{sources}",
                "--destination-address-prefixes",
                "{address}",
                "--destination-port-ranges",
                "{port}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="curl --connect-timeout 5 {address}:{port} is answered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/custom-nsg-blocks-traffic",
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
    ),
    leads_to=("network.connection_times_out",),
)
