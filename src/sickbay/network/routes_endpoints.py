"""The routes that endpoints bring into a subnet: of services, and of single private addresses."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.azure import Subnet, VirtualNetwork
from sickbay.model.ids import arm
from sickbay.model.naming import PrivateEndpoint
from sickbay.model.security import NetworkInterface, ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.routes_row import SYSTEM, HopKind, Row

_SERVICES: Final = {
    "microsoft.keyvault": "AzureKeyVault",
    "microsoft.containerregistry": "AzureContainerRegistry",
    "microsoft.azureactivedirectory": "AzureActiveDirectory",
    "microsoft.azurecosmosdb": "AzureCosmosDB",
    "microsoft.web": "AppService",
}
# The words with which a subnet lets routes of users count for its private endpoints.
_ROUTED: Final = frozenset({"enabled", "routetableenabled"})


def service_rows(subnet: Subnet) -> list[Row]:
    """One for each service endpoint; which addresses it leads to is the matter of a tag."""
    rows = []
    for endpoint in subnet.service_endpoints or ():
        service = endpoint.service or ""
        tag = _SERVICES.get(service.casefold(), service.rpartition(".")[2])
        name = f"{subnet.ref.name}/{service}"
        rows.append(Row(tag, None, SYSTEM, HopKind.SERVICE_ENDPOINT, "ServiceEndpoint", name))
    return rows


def private_rows(snapshot: Snapshot, networks: list[str], users: list[Row]) -> list[Row]:
    """One for each address of a private endpoint in these networks (their keys).

    A route of the user counts against it only where its subnet says so, and then only one that
    is as narrow as the network's own space.
    """
    found = snapshot.once(_private_endpoints)
    return [
        row
        for network in networks
        for row, spaces in found.get(network, ())
        if not (spaces and row.prefix and _is_overruled(row.prefix, spaces, users))
    ]


def tag_prefixes(snapshot: Snapshot, tag: str) -> tuple[str, ...] | None:
    """The ranges of a service tag, or None when they were not read."""
    return snapshot.once(_tags).get(tag.casefold())


def _tags(snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    lists = snapshot.grouped(ServiceTags, "kind", ServiceTags.kind)
    return {
        tag.name.casefold(): tuple(tag.address_prefixes)
        for tags in sorted(lists, key=lambda one: one.ref)
        for tag in tags.values or ()
        if tag.name and tag.address_prefixes
    }


def _is_overruled(address: Prefix, spaces: list[Prefix], users: list[Row]) -> bool:
    return any(
        row.prefix and row.prefix.contains(address) and space.contains(row.prefix)
        for row in users
        for space in spaces
    )


def _private_endpoints(snapshot: Snapshot) -> dict[str, list[tuple[Row, list[Prefix]]]]:
    """The endpoints of each network, each with the spaces whose routes can overrule it."""
    found: dict[str, list[tuple[Row, list[Prefix]]]] = {}
    for endpoint in snapshot.grouped(PrivateEndpoint, "kind", PrivateEndpoint.kind):
        home = (endpoint.subnet and endpoint.subnet.id) or ""
        if not home:
            continue
        network = arm(arm(home).parent)
        spaces = _spaces(snapshot, home)
        kind, kin = HopKind.PRIVATE_ENDPOINT, "PrivateEndpoint"
        for text in dict.fromkeys(_addresses(snapshot, endpoint)):
            name = endpoint.name or endpoint.ref.name
            row = Row(text, parse(text), SYSTEM, kind, kin, name, text, endpoint.ref)
            if row.prefix:
                found.setdefault(network.key, []).append((row, spaces))
    return found


def _spaces(snapshot: Snapshot, home: str) -> list[Prefix]:
    subnet = snapshot.find(arm(home))
    policies = (isinstance(subnet, Subnet) and subnet.private_endpoint_network_policies) or ""
    network = snapshot.find(arm(arm(home).parent))
    if policies.casefold() not in _ROUTED or not isinstance(network, VirtualNetwork):
        return []
    return [prefix for text in network.prefixes if (prefix := parse(text))]


def _addresses(snapshot: Snapshot, endpoint: PrivateEndpoint) -> Iterator[str]:
    for config in endpoint.custom_dns_configs or ():
        yield from config.ip_addresses or ()
    for address in endpoint.ip_configurations or ():
        yield address.private_ip_address or ""
    for reference in endpoint.network_interfaces or ():
        interface = snapshot.find(arm(reference.id or ""))
        if isinstance(interface, NetworkInterface):
            for part in interface.ip_configurations or ():
                yield part.private_ip_address or ""
