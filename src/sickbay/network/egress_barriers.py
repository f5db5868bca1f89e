"""Who blocks what the nodes of a cluster must reach: one barrier for each deciding object."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, arm
from sickbay.model.naming import PrivateEndpoint
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress import Endpoint, judged
from sickbay.network.egress_table import (
    BASE,
    DEFENDER,
    INSIGHTS,
    LINUX,
    OLD_TIME,
    OLD_TUNNEL,
    PROMETHEUS,
    PUBLIC_SERVER,
    VAULT,
    WINDOWS,
)
from sickbay.network.egress_way import PROXY, Asker, Layers
from sickbay.network.names_zones import present
from sickbay.network.traffic import ALLOWED, Decider, Decision, Verdict

GROUPS: Final = "groups"
ROUTES: Final = "routes"
FIREWALL: Final = "firewall"
PRIVATE_SERVER: Final = "private API server"

_MOST_NAMED: Final = 4
_ESSENTIAL: Final = frozenset({BASE, PUBLIC_SERVER, OLD_TUNNEL, PRIVATE_SERVER, WINDOWS, PROXY})
# What a private endpoint can stand in for: packets to it do not come by.
_LINKABLE: Final = frozenset({VAULT, INSIGHTS, PROMETHEUS, DEFENDER})
# The rest of what is not required is telemetry that only Microsoft would miss.
_WORTHWHILE: Final = frozenset({LINUX, WINDOWS, DEFENDER})
# Two names for one thing: a node that reaches the other does without the one.
_STAND_INS: Final = {
    "acs-mirror.azureedge.net": "packages.aks.azure.com",
    "packages.aks.azure.com": "acs-mirror.azureedge.net",
    "mcr-0001.mcr-msedge.net": "mcr.microsoft.com",
}
_CLOSED_BY_CHOICE: Final = ("none", "block")
_OF_CACHE: Final = ("mcr", "packages.aks", "acs-mirror")


class Barrier(NamedTuple):
    """An object that blocks endpoints of a cluster, those that nodes cannot do without first.

    `at` is the object as a user changes it; `by` says which part of it decides.
    """

    at: Ref
    by: tuple[Decider, ...]
    cluster: ManagedCluster
    subnet: str
    endpoints: tuple[Endpoint, ...]
    is_essential: bool

    @property
    def says(self) -> str:
        return f"{self.by[0].name} {self.by[0].says}"

    @property
    def listed(self) -> str:
        """The names and ports of what is blocked, the first few of them."""
        named = [f"{one.fqdn}:{one.port}" for one in self.endpoints]
        more = len(named) - _MOST_NAMED
        return ", ".join(named[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")

    @property
    def breaks(self) -> str:
        return self.endpoints[0].breaks

    @property
    def destination(self) -> str:
        """What a rule that cannot hold names would have to allow."""
        tags = {one.tag for one in self.endpoints}
        return (tags.pop() if len(tags) == 1 else "") or "Internet"


class _Met(NamedTuple):
    """One endpoint that an object blocks."""

    layer: str
    at: Ref
    by: Decider
    endpoint: Endpoint
    subnet: str


class _Survey(NamedTuple):
    barriers: tuple[Barrier, ...]
    gaps: dict[str, Gap]


def barrier_at(snapshot: Snapshot, at: Ref, *layers: str) -> Barrier | None:
    """What an object blocks that nodes cannot do without.

    Raises UnseenError when it blocks nothing that is known, and something of these layers was not
    read for some cluster.
    """
    found = snapshot.once(_by_object).get(at)
    if found is None:
        _raise_for(snapshot.once(_all), layers)
    return found


def lesser_barrier(snapshot: Snapshot, cluster: ManagedCluster) -> Barrier | None:
    """The first object that blocks only what nodes can do without; raises as `barrier_at` does."""
    survey = snapshot.once(_surveys).of(cluster)
    found = next((one for one in survey.barriers if not one.is_essential), None)
    if found is None and not survey.barriers:
        _raise_for([survey], (GROUPS, ROUTES, FIREWALL))
    return found


def _all(snapshot: Snapshot) -> list[_Survey]:
    clusters = sorted(snapshot.some(ManagedCluster), key=lambda one: one.ref)
    made = snapshot.once(_surveys)
    return [made.of(cluster) for cluster in clusters if not cluster.is_stopped]


def _by_object(snapshot: Snapshot) -> dict[Ref, Barrier]:
    """The first barrier at each object that keeps nodes from what they cannot do without."""
    barriers = [one for survey in snapshot.once(_all) for one in survey.barriers]
    return {one.at: one for one in reversed(barriers) if one.is_essential}


def _raise_for(surveys: Iterable[_Survey], layers: Iterable[str]) -> None:
    for layer in layers:
        for survey in surveys:
            if layer in survey.gaps:
                raise UnseenError(survey.gaps[layer])


class _Surveys:
    """What was found of each cluster, looked for once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._made: dict[str, _Survey] = {}

    def of(self, cluster: ManagedCluster) -> _Survey:
        key = cluster.ref.key
        if key not in self._made:
            self._made[key] = _survey(self._snapshot, cluster)
        return self._made[key]


def _surveys(snapshot: Snapshot) -> _Surveys:
    return _Surveys(snapshot)


def _survey(snapshot: Snapshot, cluster: ManagedCluster) -> _Survey:
    asker = Asker(snapshot, cluster)
    met: list[_Met] = []
    names: set[str] = set()
    gaps: dict[str, Gap] = {}
    for endpoint, subnet, layers in _asked(snapshot, cluster, asker):
        names.add(endpoint.fqdn)
        for layer in (GROUPS, ROUTES, FIREWALL):
            decision: Decision = getattr(layers, layer)
            if decision.verdict is Verdict.BLOCKED and decision.by:
                by = decision.by[0]
                met.append(_Met(layer, _object(layer, by, layers, cluster), by, endpoint, subnet))
            elif decision.verdict is Verdict.UNKNOWN and endpoint.feature in _ESSENTIAL:
                gaps.setdefault(layer, _gap(decision))
    return _Survey(tuple(_barriers(cluster, met, names)), gaps)


def _asked(
    snapshot: Snapshot, cluster: ManagedCluster, asker: Asker
) -> Iterator[tuple[Endpoint, str, Layers]]:
    counts = _counting(snapshot, cluster)
    subnets: dict[str, None] = {}
    profile = cluster.network_profile
    is_open = ((profile and profile.outbound_type) or "").casefold() not in _CLOSED_BY_CHOICE
    for endpoint, subnet, _ in judged(snapshot, cluster, lambda *_: ALLOWED):
        subnets[subnet] = None
        if is_open and _matters(endpoint, counts):
            yield _named(endpoint, cluster), subnet, asker.ask(endpoint, subnet)
    if not cluster.is_private:
        return
    server = Endpoint(
        cluster.private_fqdn or f"the API server of {cluster.name}",
        443,
        "TCP",
        PRIVATE_SERVER,
        "nodes talk to the API server",
        "nodes cannot register, and show NotReady after their lease runs out",
    )
    for subnet in subnets:
        for layers in asker.ask_server(server, subnet):
            yield server, subnet, layers


def _named(endpoint: Endpoint, cluster: ManagedCluster) -> Endpoint:
    """The API server by the name that it has."""
    is_own = endpoint.feature == PUBLIC_SERVER and endpoint.covers(cluster.fqdn or "")
    return endpoint._replace(fqdn=cluster.fqdn or "") if is_own else endpoint


def _counting(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[bool, bool]:
    """Whether endpoints that a private endpoint, or a registry of one's own, can replace count."""
    is_told = snapshot.has_seen(PrivateEndpoint.kind) and not present(snapshot, PrivateEndpoint)
    source = cluster.bootstrap_profile and cluster.bootstrap_profile.artifact_source
    return is_told, (source or "").casefold() != "cache"


def _matters(endpoint: Endpoint, counts: tuple[bool, bool]) -> bool:
    has_no_link, has_no_cache = counts
    if endpoint.feature == OLD_TIME or (endpoint.feature in _LINKABLE and not has_no_link):
        return False
    if not has_no_cache and endpoint.fqdn.removeprefix("*.data.").startswith(_OF_CACHE):
        return False
    return endpoint.is_required or endpoint.feature in _WORTHWHILE


def _object(layer: str, by: Decider, layers: Layers, cluster: ManagedCluster) -> Ref:
    if layer == FIREWALL and layers.wall:
        return layers.wall
    if by.ref is None:
        return cluster.ref
    is_part = by.ref.kind.casefold().endswith(("/routes", "securityrules"))
    return arm(by.ref.parent) if is_part else by.ref


def _gap(decision: Decision) -> Gap:
    if decision.gaps:
        return decision.gaps[0]
    named = decision.by[0].name if decision.by else "what decides"
    return Gap("network", f"what {named} decides")


def _barriers(cluster: ManagedCluster, met: list[_Met], asked: set[str]) -> Iterator[Barrier]:
    open_names = asked - {one.endpoint.fqdn for one in met}
    by_object: dict[Ref, list[_Met]] = {}
    for one in met:
        other = _STAND_INS.get(one.endpoint.fqdn)
        if other not in open_names:
            by_object.setdefault(one.at, []).append(one)
    for at in sorted(by_object):
        found = sorted(by_object[at], key=lambda one: not _is_essential(one.endpoint))
        endpoints = tuple(dict.fromkeys(one.endpoint for one in found))
        deciders = tuple(dict.fromkeys(one.by for one in found))
        is_essential = _is_essential(endpoints[0])
        yield Barrier(at, deciders, cluster, found[0].subnet, endpoints, is_essential)


def _is_essential(endpoint: Endpoint) -> bool:
    return endpoint.is_required and endpoint.feature in _ESSENTIAL
