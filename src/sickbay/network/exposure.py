"""How a client outside the cluster comes to a service: by its own address, or by a router's."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure_balancer import Frontage, of_balancer
from sickbay.network.exposure_ingress import WebPath, ingress_paths
from sickbay.network.exposure_routes import route_paths
from sickbay.network.prefixes import contains
from sickbay.network.services import Wiring, wiring
from sickbay.network.services_ports import protocol_of, targets
from sickbay.network.services_steps import blocks, cannot_tell, passes
from sickbay.network.traffic import Decider, Decision, Verdict, all_of

__all__ = ["Front", "WebPath", "front", "ingress_paths", "route_paths"]

_AZURE: Final = "service.beta.kubernetes.io/azure-"
_INTERNAL: Final = f"{_AZURE}load-balancer-internal"
_RANGES: Final = (
    "service.beta.kubernetes.io/load-balancer-source-ranges",
    f"{_AZURE}allowed-ip-ranges",
)
_TAGS: Final = f"{_AZURE}allowed-service-tags"
_PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")


class Front(NamedTuple):
    """What a client outside meets: the addresses that it can use, and what lies behind them."""

    decision: Decision
    addresses: tuple[str, ...]
    wiring: Wiring


def front(
    snapshot: Snapshot,
    service: Service,
    port: int | str | None = None,
    protocol: str = "TCP",
    client: str = "",
) -> Front:
    """Follow a client from outside the cluster to the pods of a service.

    `client` is its address; `0.0.0.0/0` stands for the whole internet, and an empty string for one
    that is not known. Security groups, routes and firewalls are for others to ask.
    """
    behind = wiring(snapshot, service, port, protocol)
    addresses = addresses_of(snapshot, service)
    meant = targets(service, port, protocol.upper())
    wanted = [target for target in meant if target.port]
    number = wanted[0].port.port if wanted and wanted[0].port else None
    found: list[Decision] = []
    for step in _steps(snapshot, service, addresses, client):
        found.append(step)
        if step.verdict is Verdict.BLOCKED:
            break
    else:
        if service.spec.type == "LoadBalancer" and number:
            seen = Frontage(snapshot, service, addresses, number, wanted[0].protocol)
            found += of_balancer(seen, behind.backends)
    return Front(all_of([*found, behind.decision]), addresses, behind)


def addresses_of(snapshot: Snapshot, service: Service) -> tuple[str, ...]:
    """The addresses at which a service can be met from outside its cluster."""
    spec, status = service.spec, service.status.load_balancer
    given = [one.ip or one.hostname or "" for one in (status and status.ingress) or ()]
    found = [*given, *(spec.external_ips or ())]
    if spec.type == "NodePort":
        nodes = snapshot.some(Node) if snapshot.holds(Node.kind) else ()
        found += sorted(
            one.address for node in nodes for one in node.status.addresses or () if _is_ip(one.type)
        )
    return tuple(dict.fromkeys(address for address in found if address))


def is_internal(service: Service) -> bool:
    return service.annotations.get(_INTERNAL, "").casefold() == "true"


def source_ranges(service: Service) -> tuple[str, ...]:
    """The ranges of clients that a service admits; none means everybody."""
    noted = [service.annotations.get(key, "") for key in _RANGES]
    words = [word.strip() for text in noted for word in text.split(",")]
    return tuple(
        dict.fromkeys([*(service.spec.load_balancer_source_ranges or ()), *filter(None, words)])
    )


def _steps(
    snapshot: Snapshot, service: Service, addresses: tuple[str, ...], client: str
) -> Iterator[Decision]:
    yield _of_type(snapshot, service, addresses)
    if service.spec.type == "LoadBalancer":
        yield from _of_side(service, addresses, client)
        yield from _of_ranges(service, client)


def _of_type(snapshot: Snapshot, service: Service, addresses: tuple[str, ...]) -> Decision:
    type = service.spec.type or "ClusterIP"
    if type == "NodePort":
        return _of_node_port(snapshot, service, addresses)
    if addresses:
        return passes(_by(service, f"is of type {type} and answers at {', '.join(addresses)}"))
    if type != "LoadBalancer":
        return blocks(_by(service, f"is of type {type}, which has no address outside the cluster"))
    if service.status.load_balancer is None and not service.spec.cluster_ip:
        gap = Gap(
            Service.kind,
            f"the status of {service.namespace}/{service.name}",
            to_open=f"kubectl get service {service.name} -n {service.namespace} -o json",
        )
        return cannot_tell(_by(service, "is of type LoadBalancer, with no status in evidence"), gap)
    return blocks(_by(service, "waits for an address: the load balancer was not set up for it"))


def _of_node_port(snapshot: Snapshot, service: Service, addresses: tuple[str, ...]) -> Decision:
    ports = [f"{one.node_port}/{protocol_of(one)}" for one in service.spec.ports or ()]
    says = f"is of type NodePort and answers on each node at {', '.join(ports)}"
    if addresses or snapshot.has_seen(Node.kind):
        return passes(_by(service, says))
    return passes(_by(service, says), Gap(Node.kind, "the nodes", to_open=Node.look))


def _of_side(service: Service, addresses: tuple[str, ...], client: str) -> Iterator[Decision]:
    """An internal load balancer is not met from the internet."""
    private = [one for one in addresses if _is_private(one)]
    if not private or len(private) < len(addresses):
        if is_internal(service) and addresses:
            says = f"asks for an internal load balancer and answers at {addresses[0]}, a public one"
            yield passes(_by(service, says))
        return
    says = f"has private addresses only ({', '.join(private)})"
    why = f", as {_INTERNAL} asks for" if is_internal(service) else ""
    if client and not _is_private(client):
        yield blocks(_by(service, f"{says}{why}, and the client is on the internet"))
        return
    yield passes(_by(service, f"{says}{why}"))


def _of_ranges(service: Service, client: str) -> Iterator[Decision]:
    ranges = source_ranges(service)
    tags = service.annotations.get(_TAGS, "")
    if not ranges and not tags:
        return
    says = f"admits only {', '.join([*ranges, *filter(None, [tags])])}"
    if any(contains(range, client or "0.0.0.0/0") for range in ranges):
        yield passes(_by(service, says))
    elif not client:
        gap = Gap("client", "the address of the client", to_open="curl -s https://api.ipify.org")
        yield cannot_tell(_by(service, says), gap)
    elif tags:
        gap = Gap(
            "Microsoft.Network/serviceTags",
            f"the ranges of {tags}",
            to_open="az network list-service-tags -l <region> -o json",
        )
        yield cannot_tell(_by(service, says), gap)
    else:
        yield blocks(_by(service, f"{says}, and the client is {client}"))


def _is_private(address: str) -> bool:
    return any(contains(range, address) for range in _PRIVATE)


def _is_ip(type: str) -> bool:
    return type in {"InternalIP", "ExternalIP"}


def _by(service: Service, says: str) -> Decider:
    return Decider(Service.kind, f"{service.namespace}/{service.name}", says, service.ref)
