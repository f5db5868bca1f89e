"""What each layer between the nodes of a cluster and an endpoint outside says of the traffic."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress import Endpoint, behind_tag
from sickbay.network.egress_listed import listed_names
from sickbay.network.egress_table import PUBLIC_SERVER
from sickbay.network.firewall import decide as decide_firewall
from sickbay.network.firewall import firewalls_at
from sickbay.network.firewall_match import TagNames
from sickbay.network.firewall_rules import book_of
from sickbay.network.flow import Flow
from sickbay.network.names_endpoints import server_addresses, server_endpoint
from sickbay.network.nsg import Crossing
from sickbay.network.nsg import decide as decide_groups
from sickbay.network.nsg_places import cluster_of, node_address, of_node
from sickbay.network.nsg_ranges import is_public
from sickbay.network.outbound import Egress, Way, egresses_of
from sickbay.network.prefixes import contains, parse
from sickbay.network.routes import HopKind, next_hop
from sickbay.network.routes_effective import effective_table
from sickbay.network.routes_row import USER, Row
from sickbay.network.routes_table import made_table
from sickbay.network.traffic import ALLOWED, Decision, Verdict

_MOST_SOURCES: Final = 3
_AFTER_RESERVED: Final = 4
PROXY: Final = "HTTP proxy"
_AKS_TAG: Final = "azurekubernetesservice"
_CLOSED: Final = (Way.NOTHING, Way.UNKNOWN)


class Layers(NamedTuple):
    """What each layer on the way says of one endpoint; `wall` is the appliance that was asked."""

    groups: Decision
    routes: Decision
    firewall: Decision
    wall: Ref | None = None


def ways_out(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[Egress, ...]:
    """How each subnet of a cluster reaches the internet; none when no pool is in evidence."""
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    return egresses_of(snapshot, cluster) if pools else ()


class Asker:
    """Asks the layers about the endpoints of one cluster."""

    def __init__(self, snapshot: Snapshot, cluster: ManagedCluster) -> None:
        self._snapshot = snapshot
        self._cluster = cluster
        self._ways = {arm(one.subnet).key: one for one in ways_out(snapshot, cluster)}
        self._bypasses: dict[str, Row | None] = {}
        self._places: dict[str, tuple[str, tuple[str, ...]]] = {}

    def way(self, subnet: str) -> Egress | None:
        return self._ways.get(arm(subnet).key)

    def ask(self, endpoint: Endpoint, subnet: str) -> Layers:
        """Ask of an endpoint that stands outside, or of a proxy at an address."""
        if parse(endpoint.fqdn) is not None:
            return self._at_address(endpoint, subnet, endpoint.fqdn)
        if endpoint.feature == PROXY:
            # It may stand inside, where no way out is needed.
            gap = Gap(PROXY, f"the address of {endpoint.fqdn}", to_open=f"nslookup {endpoint.fqdn}")
            unknown = Decision(Verdict.UNKNOWN, gaps=(gap,))
            return Layers(unknown, unknown, unknown)
        return self._outside(endpoint, subnet)

    def ask_server(self, endpoint: Endpoint, subnet: str) -> Iterator[Layers]:
        """Ask of the private address of the API server, at both of its ends."""
        home = server_endpoint(self._snapshot, self._cluster)
        entrance = (home and home.subnet and home.subnet.id) or ""
        for address in server_addresses(self._snapshot, self._cluster):
            yield self._at_address(endpoint, subnet, address)
            if entrance:
                flow = self._flow(endpoint, subnet, address)
                inbound = decide_groups(self._snapshot, Crossing("Inbound", entrance), flow)
                yield Layers(inbound or ALLOWED, ALLOWED, ALLOWED)

    def _outside(self, endpoint: Endpoint, subnet: str) -> Layers:
        groups = self._groups(subnet, self._flow(endpoint, subnet))
        way = self.way(subnet)
        if way is None:
            return Layers(groups, ALLOWED, ALLOWED)
        if way.kind in _CLOSED:
            return Layers(groups, self._closed(endpoint, subnet, way), ALLOWED)
        if way.kind is not Way.APPLIANCE:
            return Layers(groups, ALLOWED, ALLOWED)
        walls = firewalls_at(self._snapshot, way.next)
        firewall = self._through(endpoint, subnet, way.next)
        return Layers(groups, ALLOWED, firewall, walls[0].ref if walls else None)

    def _closed(self, endpoint: Endpoint, subnet: str, way: Egress) -> Decision:
        verdict = Verdict.BLOCKED if way.kind is Way.NOTHING else Verdict.UNKNOWN
        return self._unless_past(endpoint, subnet, Decision(verdict, (way.by,), gaps=way.gaps))

    def _at_address(self, endpoint: Endpoint, subnet: str, address: str) -> Layers:
        flow = self._flow(endpoint, subnet, address)
        hop = next_hop(self._snapshot, subnet, address)
        groups = self._groups(subnet, flow)
        if hop.kind is not HopKind.APPLIANCE or hop.node:
            return Layers(groups, hop.decision, ALLOWED)
        walls = firewalls_at(self._snapshot, hop.address)
        firewall = decide_firewall(self._snapshot, hop.address, flow)
        return Layers(groups, ALLOWED, firewall, walls[0].ref if walls else None)

    def _groups(self, subnet: str, flow: Flow) -> Decision:
        nic, _ = self._place(subnet)
        decision = decide_groups(self._snapshot, Crossing("Outbound", subnet, nic), flow)
        if decision is not None:
            return decision
        look = f"az network vnet subnet show --ids {subnet} -o json" if subnet else Subnet.look
        what = f"the security group of subnet {arm(subnet).name or 'of the nodes'}"
        return Decision(Verdict.UNKNOWN, gaps=(Gap(Subnet.kind, what, to_open=look),))

    def _through(self, endpoint: Endpoint, subnet: str, appliance: str) -> Decision:
        """What the appliance says; sure only if it says so of every sender and every name."""
        found: list[Decision] = []
        for name in self._names(endpoint, appliance):
            flow = self._flow(endpoint, subnet)._replace(source="", destination_fqdn=name)
            found += self._from_all(appliance, flow, self._sources(subnet))
        best = min(found, key=lambda one: _BEST_FIRST.index(one.verdict))
        return self._unless_past(endpoint, subnet, best, appliance)

    def _unless_past(
        self, endpoint: Endpoint, subnet: str, decision: Decision, appliance: str = ""
    ) -> Decision:
        """The decision, unless it blocks and a narrower route may lead past what decides."""
        bypass = self._bypass(subnet, appliance)
        if decision.verdict is not Verdict.BLOCKED or bypass is None:
            return decision
        what = f"whether {endpoint.fqdn} leaves by {bypass.name} ({bypass.text}) instead"
        return Decision(Verdict.UNKNOWN, decision.by, gaps=(Gap("route", what),))

    def _from_all(self, appliance: str, flow: Flow, sources: Sequence[str]) -> list[Decision]:
        """What the appliance says of each sender; mostly it is the same for all the world."""
        region = self._cluster.location or ""
        whoever = self._snapshot.once(_walls).decide(appliance, flow, region)
        if whoever.verdict is not Verdict.UNKNOWN:
            return [whoever]
        flows = (flow._replace(source=source) for source in sources)
        names = names_around(self._snapshot, self._cluster)
        return [decide_firewall(self._snapshot, appliance, one, names) for one in flows]

    def _bypass(self, subnet: str, appliance: str) -> Row | None:
        """A route of the user for some public addresses that leads past the appliance."""
        key = arm(subnet).key
        if key not in self._bypasses:
            made = made_table(self._snapshot, subnet)
            table = effective_table(self._snapshot, subnet, made) or made
            self._bypasses[key] = next(
                (row for row in table.rows if _leads_past(row, appliance)), None
            )
        return self._bypasses[key]

    def _names(self, endpoint: Endpoint, appliance: str) -> list[str]:
        """The names to ask for: of a pattern also those that the appliance's rules spell out."""
        if endpoint.feature == PUBLIC_SERVER and endpoint.covers(self._cluster.fqdn or ""):
            return [self._cluster.fqdn or ""]
        if "*" not in endpoint.fqdn:
            return [endpoint.fqdn]
        spelled = self._snapshot.once(_walls).names(appliance)
        return [endpoint.example, *(name for name in spelled if endpoint.covers(name))]

    def _flow(self, endpoint: Endpoint, subnet: str, address: str = "") -> Flow:
        name = "" if parse(endpoint.fqdn) else endpoint.example
        if endpoint.feature == PUBLIC_SERVER and endpoint.covers(self._cluster.fqdn or ""):
            name = self._cluster.fqdn or ""
        source = self._sources(subnet)[0]
        return Flow(source, address, *endpoint.traffic, destination_fqdn=name)

    def _sources(self, subnet: str) -> tuple[str, ...]:
        return self._place(subnet)[1]

    def _place(self, subnet: str) -> tuple[str, tuple[str, ...]]:
        """An interface of a node in a subnet, and the addresses that nodes send from there."""
        key = arm(subnet).key
        if key not in self._places:
            self._places[key] = self._find_place(subnet)
        return self._places[key]

    def _find_place(self, subnet: str) -> tuple[str, tuple[str, ...]]:
        found = self._snapshot.find(arm(subnet))
        prefixes = found.prefixes if isinstance(found, Subnet) else []
        nic, known = "", []
        for node in sorted(self._snapshot.grouped(Node, "kind", Node.kind), key=_by_name):
            address = node_address(node)
            if not any(contains(prefix, address) for prefix in prefixes if address):
                continue
            if cluster_of(self._snapshot, node) not in (self._cluster, None):
                continue
            place = of_node(self._snapshot, node)
            nic = nic or (place.nic if place else "")
            known.append(address)
            if len(known) == _MOST_SOURCES:
                break
        return nic, tuple(known or [one for text in prefixes for one in _samples(text)] or [""])


class _Walls:
    """What was asked of the firewalls before, by whichever cluster."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._names: dict[str, list[str]] = {}
        self._decided: dict[tuple[str, Flow, str], Decision] = {}

    def decide(self, appliance: str, flow: Flow, region: str) -> Decision:
        key = (appliance, flow, region)
        if key not in self._decided:
            names = _names_of_region(self._snapshot, region)
            self._decided[key] = decide_firewall(self._snapshot, appliance, flow, names)
        return self._decided[key]

    def names(self, appliance: str) -> list[str]:
        """The names that the rules of the firewalls at an address spell out."""
        if appliance not in self._names:
            rules = [
                ruled.rule
                for wall in firewalls_at(self._snapshot, appliance)
                for ruled in book_of(self._snapshot, wall).rules
            ]
            names = {name for rule in rules for name in rule.target_fqdns or ()}
            names |= {name for rule in rules for name in rule.destination_fqdns or ()}
            self._names[appliance] = sorted(name.replace("*", "any") for name in names)
        return self._names[appliance]


def _walls(snapshot: Snapshot) -> _Walls:
    return _Walls(snapshot)


_BEST_FIRST: Final = (Verdict.ALLOWED, Verdict.UNKNOWN, Verdict.BLOCKED)


def _by_name(node: Node) -> str:
    return node.name


def _samples(prefix: str) -> Iterator[str]:
    """A subnet, and the first address that a node in it can have."""
    yield prefix
    known = parse(prefix)
    if known and known.version == 4:  # noqa: PLR2004
        first = known.first + _AFTER_RESERVED
        yield ".".join(str(first >> shift & 255) for shift in (24, 16, 8, 0))


def names_around(snapshot: Snapshot, cluster: ManagedCluster) -> TagNames:
    """The names behind the FQDN tag of AKS where the cluster is, which the firewall need not be."""
    return _names_of_region(snapshot, cluster.location or "")


def _names_of_region(snapshot: Snapshot, region: str) -> TagNames:
    listed = snapshot.once(listed_names)
    return lambda tag: behind_tag(region) | listed if tag.casefold() == _AKS_TAG else None


def _leads_past(row: Row, appliance: str) -> bool:
    if row.rank != USER or row.kind is HopKind.DROPPED:
        return False
    if row.kind is HopKind.APPLIANCE and row.address == appliance:
        return False
    return row.prefix is None or (row.prefix.length > 0 and is_public(row.prefix))
