"""Which services the rules in a node's kernel get wrong, though they work elsewhere."""

from typing import Final, NamedTuple

from sickbay.model.exposure import HeldService, NatRules
from sickbay.model.service_parts import ServicePort
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import wiring
from sickbay.network.services_backends import holding, published_number
from sickbay.network.services_ports import Target, protocol_of
from sickbay.network.traffic import Decider, Verdict

_KIND: Final = "NAT rules"
_Held = dict[tuple[str, int, str], HeldService]


class Misrouted(NamedTuple):
    """A service, and what the rules of the node do with it."""

    service: str
    by: Decider


def misrouted(snapshot: Snapshot, rules: NatRules) -> tuple[Misrouted, ...]:
    """The services that a node does not translate, or sends to pods that are gone, by name."""
    held = {(one.address, one.port, one.protocol): one for one in rules.services}
    found = []
    for service in sorted(snapshot.some(Service), key=lambda one: one.ref):
        by = _wrong(snapshot, service, rules.node, held)
        if by is not None:
            found.append(Misrouted(f"{service.namespace}/{service.name}", by))
    return tuple(found)


def _wrong(snapshot: Snapshot, service: Service, node: str, held: _Held) -> Decider | None:
    address = service.spec.cluster_ip or ""
    if not address or not node or service.spec.is_headless:
        return None
    for port in service.spec.ports or ():
        protocol = protocol_of(port)
        here = held.get((address, port.port or 0, protocol))
        if here is not None and not here.is_rejected and _is_alive(snapshot, service, port, here):
            continue
        decision = wiring(snapshot, service, port.port, protocol, node).decision
        if decision.verdict is Verdict.BLOCKED and decision.by[0].kind == _KIND:
            return decision.by[0]
    return None


def _is_alive(snapshot: Snapshot, service: Service, port: ServicePort, held: HeldService) -> bool:
    """A first look, which spares most services the long way: one backend that is ready."""
    if not held.backends:
        return True
    published = holding(snapshot, service)
    target = Target(port, protocol_of(port))
    wanted = set(held.backends)
    return published is not None and any(
        one.is_ready and f"{one.address}:{published_number(one.ports, target)}" in wanted
        for one in published.addresses
    )
