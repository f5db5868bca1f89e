"""State files of Azure's network plugins, and the sandboxes of a node as JSON.

The stores of azure-vnet-ipam, azure-vnet and azure-cns each note the container that an address was
given to.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.foreign.owner import owner_of
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

if TYPE_CHECKING:
    from sickbay.model.entity import Entity
    from sickbay.model.node import AddressStore

# Words of which every such file holds all of one group.
MARKS: Final = (
    ('"AddressSpaces"', '"Pools"'),
    ('"ExternalInterfaces"', '"Endpoints"'),
    ('"IfnameToIPMap"',),
    ('"IPConfigurationStatus"',),
    ('"SANDBOX_',),
)
_KEYS: Final = ("AddressSpaces", "ExternalInterfaces", "IPConfigurationStatus")
_HEX: Final = frozenset("0123456789abcdef")
_SHORTEST: Final = 8


def is_state(head: str) -> bool:
    """Whether a JSON text looks like a file of this kind."""
    return any(all(mark in head for mark in group) for group in MARKS)


def is_node_state(value: dict[str, Any]) -> bool:
    """Whether a document is of this kind."""
    held = value.get("IPAM") or value.get("Network") or value
    if isinstance(held, dict) and any(key in held for key in _KEYS):
        return True
    endpoints, items = value.get("Endpoints"), value.get("items")
    if isinstance(endpoints, dict):
        first = next(iter(endpoints.values()), None)
        return isinstance(first, dict) and "IfnameToIPMap" in first
    first = items[0] if isinstance(items, list) and items else None
    return isinstance(first, dict) and str(first.get("state", "")).startswith("SANDBOX_")


def take_node_state(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take a document of this kind; its path tells the node, or else the folder it is in."""
    about = owner_of(origin.source).about
    node = about.name if about and about.kind == "Node" else ""
    for entity in stores_in(value, node, origin.source.rpartition("/")[0]):
        sink.entity(entity, origin)


def stores_in(body: Any, node: str, place: str) -> "Iterator[Entity]":
    """The stores of addresses, or the sandboxes, that a document tells."""
    if isinstance(body, dict):
        yield from _pooled(body, node, place)
        yield from _endpoints(body, node, place)
        yield from _of_cns(body, node, place)
        yield from _assigned(body, node, place)
        yield from _sandboxes(body, node, place)


def holder(id: Any) -> str:
    """The id of a container; Azure adds the interface, and shortens."""
    text = str(id or "").casefold()
    length = next((at for at, letter in enumerate(text) if letter not in _HEX), len(text))
    return text[:length] if length >= _SHORTEST else ""


def _pooled(body: dict[str, Any], node: str, place: str) -> "Iterator[AddressStore]":
    """The pools of Azure CNI: every address of the node, and whether it is in use."""
    from sickbay.model.node import AddressStore  # noqa: PLC0415 - msgspec is not needed for text

    total = 0
    prefixes, entries, used = [], [], 0
    for prefix, pool in _pools(body):
        addresses = pool.get("Addresses")
        every = addresses if isinstance(addresses, dict) else {}
        known = {str(at): one for at, one in every.items() if isinstance(one, dict)}
        total += len(known)
        taken = {at: one for at, one in known.items() if one.get("InUse") is True}
        used += len(taken)
        entries += [(at, holder(one.get("ID"))) for at, one in taken.items()]
        prefixes.append(prefix)
    if total:
        yield AddressStore(node, place, used, total, ", ".join(sorted(prefixes)), _told(entries))


def _pools(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    held = body.get("IPAM", body)
    spaces = held.get("AddressSpaces") if isinstance(held, dict) else None
    for space in _members(spaces):
        pools = space.get("Pools") if isinstance(space, dict) else None
        if isinstance(pools, dict):
            yield from ((str(key), pool) for key, pool in pools.items() if isinstance(pool, dict))


def _endpoints(body: dict[str, Any], node: str, place: str) -> "Iterator[AddressStore]":
    """azure-vnet.json: the interfaces that were made for containers."""
    network = body.get("Network", body)
    interfaces = network.get("ExternalInterfaces") if isinstance(network, dict) else None
    entries = [
        (_address(endpoint), holder(endpoint.get("ContainerID") or endpoint.get("Id")))
        for interface in _members(interfaces)
        if isinstance(interface, dict)
        for each in _members(interface.get("Networks"))
        if isinstance(each, dict)
        for endpoint in _members(each.get("Endpoints"))
        if isinstance(endpoint, dict)
    ]
    yield from _held(entries, node, place, "azure-vnet")


def _of_cns(body: dict[str, Any], node: str, place: str) -> "Iterator[AddressStore]":
    """azure-endpoints.json of azure-cns: by the id of the container."""
    endpoints = body.get("Endpoints")
    if not isinstance(endpoints, dict):
        return
    entries = [
        (str(value.get("PodName") or ""), holder(key))
        for key, value in endpoints.items()
        if isinstance(value, dict) and "IfnameToIPMap" in value
    ]
    yield from _held(entries, node, place, "azure-cns")


def _assigned(body: dict[str, Any], node: str, place: str) -> "Iterator[AddressStore]":
    """What azure-cns answers on /debug/ipaddresses: every address of the node and its state."""
    from sickbay.model.node import AddressStore  # noqa: PLC0415

    listed = body.get("IPConfigurationStatus")
    every = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    taken = [one for one in every if str(one.get("State", "")).casefold() == "assigned"]
    entries = [
        (str(one.get("IPAddress") or ""), holder(_infra(one.get("PodInfo")))) for one in taken
    ]
    if every:
        yield AddressStore(
            node, place, len(taken), len(every), "", _told(entries), "azure-cns-debug"
        )


def _infra(pod: Any) -> Any:
    return pod.get("PodInfraContainerID") if isinstance(pod, dict) else ""


def _held(
    entries: list[tuple[str, str]], node: str, place: str, how: str
) -> "Iterator[AddressStore]":
    from sickbay.model.node import AddressStore  # noqa: PLC0415

    if entries:
        yield AddressStore(node, place, len(entries), None, "", _told(entries), how)


def _told(entries: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((address, id) for address, id in entries if id))


def _address(endpoint: dict[str, Any]) -> str:
    listed = endpoint.get("IPAddresses")
    first = listed[0] if isinstance(listed, list) and listed else None
    return str(first.get("IP") or "") if isinstance(first, dict) else ""


def _sandboxes(body: dict[str, Any], node: str, place: str) -> "Iterator[Entity]":
    """What `crictl pods -o json` prints."""
    from sickbay.model.node import Sandboxes  # noqa: PLC0415

    items = body.get("items")
    every = [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    states = [(str(one.get("state", "")), holder(one.get("id"))) for one in every]
    if not any(state.startswith("SANDBOX_") for state, _ in states):
        return
    ready = tuple(sorted(id for state, id in states if state == "SANDBOX_READY"))
    exited = tuple(sorted(id for state, id in states if state == "SANDBOX_NOTREADY"))
    yield Sandboxes(node, place, len(ready), ready, exited, "crictl-json")


def _members(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else []
