from collections.abc import Iterator

from sickbay.model.guards import ConfigMap
from sickbay.model.ids import Ref
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network import nsg
from sickbay.network.corefile import CUSTOM, MAIN, corefile_of
from sickbay.network.corefile_routes import Action, Course, course_of
from sickbay.network.flow import Flow
from sickbay.network.names import resolve
from sickbay.network.node_subnets import node_subnets
from sickbay.network.routes import next_hop
from sickbay.network.traffic import Decider, Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# Any name that nobody owns would do for what is forwarded as a whole.
SOME_NAME = "example.com"
CIRCLE = "CoreDNS itself"


@each(ConfigMap)
def forwards_in_vain(config: ConfigMap, snapshot: Snapshot) -> Match | Clear | None:
    if config.ref not in (MAIN, CUSTOM):
        return None
    courses = list(_courses(config.ref, snapshot))
    for course in courses:
        decider = _refused(snapshot, course) or _dropped(snapshot, course)
        if decider:
            return Match(
                f"{course.says}: {decider.kind} {decider.name} {decider.says}",
                facts={
                    "map": config.name,
                    "server": ", ".join(course.servers),
                    "zone": course.name,
                },
                cites=(config.cite(f"data.{course.place.rpartition(':')[0]}", course.says),),
            )
    return Clear(
        f"nothing in evidence keeps CoreDNS from the servers of {config.namespace}/{config.name}"
    )


def _courses(ref: Ref, snapshot: Snapshot) -> Iterator[Course]:
    """What this map lets CoreDNS forward to servers of its own."""
    corefile = corefile_of(snapshot)
    for zone in dict.fromkeys(zone for block in corefile.blocks for zone, _ in block.zones):
        course = course_of(corefile, zone or SOME_NAME)
        owner = MAIN if course.place.startswith("Corefile:") else CUSTOM
        if course.action is Action.FORWARD and owner == ref:
            yield course


def _refused(snapshot: Snapshot, course: Course) -> Decider | None:
    """A server that cannot answer: CoreDNS itself, or a firewall that is no DNS proxy."""
    found = resolve(snapshot, f"{course.name}.", Pod())
    by = found.answered_by
    if found.verdict is not Verdict.BLOCKED or by is None:
        return None
    return by if CIRCLE in by.says or by.kind == "AzureFirewall" else None


def _dropped(snapshot: Snapshot, course: Course) -> Decider | None:
    """What drops the question on its way from the nodes."""
    for place in node_subnets(snapshot):
        subnet = place.subnet
        for server in (one for one in course.servers if "/" not in one):
            flow = Flow(place.address, server, "UDP", 53)
            group = nsg.decide(snapshot, nsg.Crossing("Outbound", subnet), flow)
            hop = next_hop(snapshot, subnet, server).decision
            for decision in (group, hop):
                if decision and decision.verdict is Verdict.BLOCKED and decision.by:
                    return decision.by[0]
    return None


RULE = Rule(
    title="CoreDNS forwards to a server that cannot answer: itself (loop), a firewall without DNS proxy, one out of reach",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        forwards_in_vain,
        Signature(
            pattern=r"plugin/loop: Loop .{0,200}? detected|plugin/loop: Forwarding loop detected|plugin/loop: Seen .{3,120}? loop detected",
            says="CoreDNS gets its own question back (a loop) and stops",
            sample='[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :1053) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting',
            near_miss='[INFO] plugin/ready: Still waiting on: "kubernetes"',
        ),
    ),
    why="CoreDNS hands on what it does not answer itself to the servers in its configuration, or to those of the virtual network. The address of the cluster's own DNS makes the question go in a circle (plugin/loop stops CoreDNS), an Azure Firewall answers only with its DNS proxy on, and a security group or route that drops UDP 53 from the nodes leaves every question without an answer.",
    remedy=(
        Step(
            "See where it forwards to.",
            run=("kubectl", "get", "configmap", "{map}", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Forward {zone} to a server that answers for it and that the nodes reach at port 53 (not {server} as things are), or open the way to it.",
            run=("kubectl", "edit", "configmap", "{map}", "-n", "kube-system"),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {zone} from a pod answers",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/coredns-custom",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
    ),
    leads_to=(
        "kubernetes.coredns_down",
        "network.dns_forwarder_silent",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    spreads=True,
)
