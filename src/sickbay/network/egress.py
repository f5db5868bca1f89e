"""Which outside endpoints a cluster needs by its features, and which its nodes cannot reach."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.model.aks import AgentPool, ManagedCluster, minor
from sickbay.model.arc import ClusterExtension
from sickbay.model.egress import RequiredEndpoints, endpoints_of
from sickbay.model.snapshot import Snapshot
from sickbay.network.egress_addons import ADDON_ROWS, ARC_ROWS
from sickbay.network.egress_listed import as_listed
from sickbay.network.egress_table import (
    BASE,
    CHINA,
    DEFENDER,
    EXTENSIONS,
    GOVERNMENT,
    GPU,
    HTTP,
    HTTPS,
    INSIGHTS,
    LINUX,
    OLD_TIME,
    OLD_TUNNEL,
    POLICY,
    PROMETHEUS,
    PUBLIC,
    PUBLIC_SERVER,
    ROWS,
    VAULT,
    WINDOWS,
    Row,
)
from sickbay.network.traffic import Decision, Traffic, Verdict

# From this version on the API server reaches nodes through konnectivity, on port 443.
_FIRST_WITHOUT_TUNNEL: Final = 22
_ADDONS: Final = {
    "azurepolicy": POLICY,
    "omsagent": INSIGHTS,
    "azurekeyvaultsecretsprovider": VAULT,
}
_WEB_PORTS: Final = {HTTP, HTTPS}
_PROXY: Final = "HTTP proxy"


class Endpoint(NamedTuple):
    """Something outside that a cluster talks to.

    `fqdn` may begin with `*.`; `tag` is a service tag that covers it, or empty. Without a required
    one something fails, without another one something is worse.
    """

    fqdn: str
    port: int
    protocol: str
    feature: str
    purpose: str
    breaks: str
    tag: str = ""
    is_required: bool = True

    @property
    def traffic(self) -> Traffic:
        return Traffic(self.protocol, self.port)

    @property
    def example(self) -> str:
        """A name that the pattern stands for."""
        return self.fqdn.replace("*", "any")

    def covers(self, name: str) -> bool:
        """Whether a name is one that the pattern stands for."""
        before, star, after = self.fqdn.casefold().partition("*")
        name = name.casefold().rstrip(".")
        if not star:
            return name == before
        long_enough = len(name) > len(before) + len(after)
        return long_enough and name.startswith(before) and name.endswith(after)


class Judged(NamedTuple):
    """What was decided of one endpoint from one subnet; no subnet when AKS made the network."""

    endpoint: Endpoint
    subnet: str
    decision: Decision


def required(
    cluster: ManagedCluster,
    pools: Iterable[AgentPool] | None = None,
    *,
    more: Iterable[str] = (),
    listed: RequiredEndpoints | None = None,
) -> tuple[Endpoint, ...]:
    """Return what the nodes of a cluster must reach, or better do; `more` are other features.

    Where Azure itself lists the names, they count instead of ours. A cluster that pulls from its
    own registry and has no way out by design needs nothing.
    """
    if is_isolated(cluster):
        return ()
    given = tuple(pools) if pools is not None else tuple(cluster.agent_pool_profiles or ())
    wanted = {*_features(cluster, given), *more}
    rows = (row for row in (*ROWS, *ADDON_ROWS) if row.feature in wanted)
    found = tuple(_endpoints(as_listed(rows, listed), cluster.location or ""))
    return _through_proxy(cluster, found)


def required_by_arc(location: str) -> tuple[Endpoint, ...]:
    """Return what the agents of an Arc-enabled cluster must reach."""
    return tuple(_endpoints(ARC_ROWS, location))


def behind_tag(location: str) -> frozenset[str]:
    """The names that the FQDN tag AzureKubernetesService of Azure Firewall stands for."""
    rows = (row for row in (*ROWS, *ADDON_ROWS) if row.port in _WEB_PORTS)
    return frozenset(endpoint.fqdn for endpoint in _endpoints(rows, location))


def judged(
    snapshot: Snapshot,
    cluster: ManagedCluster,
    judge: Callable[[Endpoint, str], Decision],
) -> Iterator[Judged]:
    """Ask of every endpoint and every subnet with nodes whether the traffic passes."""
    pools = pools_of(snapshot, cluster)
    subnets = sorted({pool.vnet_subnet_id or "" for pool in pools if not pool.is_stopped} or {""})
    more = [EXTENSIONS] if _has_extensions(snapshot, cluster) else []
    listed = endpoints_of(snapshot, cluster)
    for endpoint in required(cluster, pools, more=more, listed=listed):
        for subnet in subnets:
            yield Judged(endpoint, subnet, judge(endpoint, subnet))


def blocked(
    snapshot: Snapshot,
    cluster: ManagedCluster,
    judge: Callable[[Endpoint, str], Decision],
) -> tuple[Judged, ...]:
    """Return the endpoints that do not pass for certain, those that are required first."""
    found = [
        one for one in judged(snapshot, cluster, judge) if one.decision.verdict is Verdict.BLOCKED
    ]
    return tuple(sorted(found, key=lambda one: not one.endpoint.is_required))


def pools_of(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[AgentPool, ...]:
    """The node pools of a cluster that are in evidence, as resources or inside the cluster."""
    known = [*snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)]
    return tuple(sorted(known or cluster.agent_pool_profiles or (), key=lambda pool: pool.name))


def is_isolated(cluster: ManagedCluster) -> bool:
    """Whether the cluster has no way out by design, and gets its images from its own registry."""
    source = cluster.bootstrap_profile and cluster.bootstrap_profile.artifact_source
    outbound = cluster.network_profile and cluster.network_profile.outbound_type
    is_cached = (source or "").casefold() == "cache"
    return is_cached and (outbound or "").casefold() in {"none", "block"}


def cloud_of(location: str) -> str:
    """The cloud that a region belongs to."""
    region = _region(location)
    if region.startswith("china"):
        return CHINA
    return GOVERNMENT if region.startswith(("usgov", "usdod")) else PUBLIC


def _features(cluster: ManagedCluster, pools: tuple[AgentPool, ...]) -> Iterator[str]:
    yield BASE
    yield from _server_features(cluster)
    yield from _addon_features(cluster)
    systems = {(pool.os_type or "Linux").casefold() for pool in pools}
    if "windows" in systems:
        yield WINDOWS
    if "linux" in systems or not pools:
        yield from (LINUX, OLD_TIME)
    if any((pool.vm_size or "").casefold().startswith("standard_n") for pool in pools):
        yield GPU


def _server_features(cluster: ManagedCluster) -> Iterator[str]:
    if cluster.is_private or cluster.has_integrated_server:
        return
    yield PUBLIC_SERVER
    version = minor(cluster.current_kubernetes_version or cluster.kubernetes_version)
    if version is not None and version < _FIRST_WITHOUT_TUNNEL:
        yield OLD_TUNNEL


def _addon_features(cluster: ManagedCluster) -> Iterator[str]:
    for name, addon in (cluster.addon_profiles or {}).items():
        feature = _ADDONS.get(name.casefold())
        if feature and addon and addon.enabled:
            yield feature
    monitor = cluster.azure_monitor_profile
    if monitor and monitor.metrics and monitor.metrics.enabled:
        yield PROMETHEUS
    if monitor and monitor.container_insights and monitor.container_insights.enabled:
        yield INSIGHTS
    defender = cluster.security_profile and cluster.security_profile.defender
    if defender and defender.security_monitoring and defender.security_monitoring.enabled:
        yield DEFENDER


def _endpoints(rows: Iterable[Row], location: str) -> Iterator[Endpoint]:
    """The rows of the region's cloud, with the region in their names; each endpoint once."""
    cloud, region = cloud_of(location), _region(location)
    known: set[tuple[str, int, str]] = set()
    for row in rows:
        for pattern in row.fqdns if cloud in row.clouds else ():
            fqdn = pattern.replace("{region}", region or "*")
            if (fqdn, row.port, row.protocol) in known:
                continue
            known.add((fqdn, row.port, row.protocol))
            tag = row.tag.replace(".{region}", f".{region}" if region else "")
            what = (row.feature, row.purpose, row.breaks)
            yield Endpoint(fqdn, row.port, row.protocol, *what, tag, row.is_required)


def _region(location: str) -> str:
    return location.replace(" ", "").casefold()


def _has_extensions(snapshot: Snapshot, cluster: ManagedCluster) -> bool:
    return bool(snapshot.grouped(ClusterExtension, "parent_key", cluster.ref.key))


def _through_proxy(
    cluster: ManagedCluster, endpoints: tuple[Endpoint, ...]
) -> tuple[Endpoint, ...]:
    """Nodes with a proxy ask it for the web, and need a way of their own for the rest only."""
    config = cluster.http_proxy_config
    address = config and (config.https_proxy or config.http_proxy)
    if not address:
        return endpoints
    host, port = _host_and_port(address)
    exempt = tuple(name.casefold() for name in (config and config.no_proxy) or ())
    kept = [one for one in endpoints if _is_direct(one, exempt)]
    purpose, breaks = "the proxy that the nodes use for the web", "nodes reach nothing outside"
    return (Endpoint(host, port, "TCP", _PROXY, purpose, breaks), *kept)


def _is_direct(endpoint: Endpoint, exempt: tuple[str, ...]) -> bool:
    if endpoint.protocol != "TCP" or endpoint.port not in _WEB_PORTS:
        return True
    # AKS itself puts the API server on the list of what is not asked of the proxy.
    if endpoint.feature == PUBLIC_SERVER:
        return True
    suffixes = tuple(name.lstrip("*").lstrip(".") for name in exempt)
    name = endpoint.fqdn.casefold().removeprefix("*.")
    return any(name == suffix or name.endswith(f".{suffix}") for suffix in suffixes if suffix)


def _host_and_port(address: str) -> tuple[str, int]:
    scheme, _, rest = address.rpartition("://")
    authority = rest.partition("/")[0].rpartition("@")[2]
    host, _, port = authority.rpartition(":")
    usual = HTTPS if scheme.casefold() == "https" else HTTP
    if host and port.isdecimal() and len(port) < len("100000"):
        return host.strip("[]"), int(port)
    return authority.strip("[]"), usual
