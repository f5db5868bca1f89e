"""The private addresses behind names: of private endpoints, and of the API servers of clusters."""

from collections.abc import Iterator
from typing import NamedTuple

from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm
from sickbay.model.naming import PrivateEndpoint, ZoneGroup
from sickbay.model.routing import LoadBalancer, PublicIPAddress
from sickbay.model.security import NetworkInterface
from sickbay.model.snapshot import Snapshot
from sickbay.network.names_answers import plain
from sickbay.network.names_zones import present

_API_SERVER = "kube-apiserver"


class Known(NamedTuple):
    """What evidence other than zones says of names."""

    endpoints: dict[str, PrivateEndpoint]
    clusters: dict[str, ManagedCluster]
    public: dict[str, str]


def known_names(snapshot: Snapshot) -> Known:
    """The names that endpoints, clusters and public addresses bear; gathered once."""
    return snapshot.once(_gather)


def addresses_of(snapshot: Snapshot, endpoint: PrivateEndpoint) -> tuple[str, ...]:
    """The addresses of a private endpoint; those of its interface count before what it writes."""
    of_interfaces = tuple(_interface_addresses(snapshot, endpoint))
    written = (
        *(one.private_ip_address for one in endpoint.ip_configurations or ()),
        *(ip for config in endpoint.custom_dns_configs or () for ip in config.ip_addresses or ()),
    )
    return tuple(dict.fromkeys(ip for ip in of_interfaces or written if ip))


def server_addresses(snapshot: Snapshot, cluster: ManagedCluster) -> tuple[str, ...]:
    """The private addresses of a cluster's API server, or nothing when they are not in evidence."""
    if cluster.has_integrated_server:
        balancers = present(snapshot, LoadBalancer)
        own = [one for one in balancers if _is_of_nodes(one.ref.key, cluster)]
        fronts = [f for one in own for f in one.frontend_ip_configurations or ()]
        return tuple(front.private_ip_address for front in fronts if front.private_ip_address)
    endpoint = server_endpoint(snapshot, cluster)
    return addresses_of(snapshot, endpoint) if endpoint else ()


def server_endpoint(snapshot: Snapshot, cluster: ManagedCluster) -> PrivateEndpoint | None:
    """The private endpoint that AKS made for a cluster's API server.

    Others that a user made lead to the same server, but the records of AKS are not of them.
    """
    found = present(snapshot, PrivateEndpoint)
    return min(
        (endpoint for endpoint in found if _is_of_nodes(endpoint.ref.key, cluster)),
        key=lambda one: one.ref,
        default=None,
    )


def _is_of_nodes(key: str, cluster: ManagedCluster) -> bool:
    group = cluster.node_group_id.casefold()
    return bool(group) and key.startswith(f"{group}/") and key.endswith(f"/{_API_SERVER}")


def _interface_addresses(snapshot: Snapshot, endpoint: PrivateEndpoint) -> Iterator[str]:
    for reference in endpoint.network_interfaces or ():
        found = snapshot.find(arm(reference.id or ""))
        if isinstance(found, NetworkInterface):
            for part in found.ip_configurations or ():
                if part.private_ip_address:
                    yield part.private_ip_address


def _gather(snapshot: Snapshot) -> Known:
    endpoints: dict[str, PrivateEndpoint] = {}
    for endpoint in sorted(present(snapshot, PrivateEndpoint), key=lambda one: one.ref):
        for config in endpoint.custom_dns_configs or ():
            if config.fqdn:
                endpoints.setdefault(plain(config.fqdn), endpoint)
    for group in sorted(present(snapshot, ZoneGroup), key=lambda one: one.ref):
        owner = snapshot.find(arm(group.ref.parent))
        sets = [one for config in group.private_dns_zone_configs or () for one in config.names]
        for record in sets:
            if isinstance(owner, PrivateEndpoint) and record.fqdn:
                endpoints.setdefault(plain(record.fqdn), owner)
    clusters = {
        plain(name): cluster
        for cluster in sorted(present(snapshot, ManagedCluster), key=lambda one: one.ref)
        for name in (cluster.fqdn, cluster.private_fqdn)
        if name
    }
    public = {
        plain(one.dns_settings.fqdn): one.ip_address
        for one in sorted(present(snapshot, PublicIPAddress), key=lambda one: one.ref)
        if one.dns_settings and one.dns_settings.fqdn and one.ip_address
    }
    return Known(endpoints, clusters, public)
