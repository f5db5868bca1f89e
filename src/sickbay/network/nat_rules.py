"""Whether the rules in a node's kernel know a service, and send it where it should go."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sickbay.model.exposure import HeldService, NatRules
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_backends import Backend
from sickbay.network.services_ports import Target
from sickbay.network.traffic import Decider, Decision, Verdict

_KIND: Final = "NAT rules"
_V4_ONLY: Final = "iptables"
_V6_ONLY: Final = "ip6tables"


class _Place(NamedTuple):
    address: str
    port: int
    protocol: str

    def __str__(self) -> str:
        return f"{self.protocol} {self.port} at {self.address}"


def decide(
    snapshot: Snapshot, service: Service, target: Target, node: str, backends: Sequence[Backend]
) -> Decision | None:
    """What the rules of a node do with a service; None when they are not in evidence."""
    listings = snapshot.once(_by_node).get(node, ())
    port = target.port.port if target.port else None
    if not listings or not port:
        return None
    known = service.spec.cluster_ips or [service.spec.cluster_ip or ""]
    found = [
        decided
        for address in known
        if address and address.casefold() != "none"
        for decided in [_decide(listings, _Place(address, port, target.protocol), backends)]
        if decided is not None
    ]
    # One family that works is enough to be reached.
    return next((one for one in found if one.passes), found[0] if found else None)


def _decide(
    listings: tuple[NatRules, ...], place: _Place, backends: Sequence[Backend]
) -> Decision | None:
    of_family = [one for one in listings if _has_family(one, place.address)]
    for rules in of_family:
        for held in rules.services:
            if (held.address, held.port, held.protocol) == place:
                return _held(rules, held, place, backends)
    whole = next((one for one in of_family if one.is_whole), None)
    if whole is None:
        return None
    says = f"hold {len(whole.services)} ports of services, and not {place}: nothing translates it"
    return _decision(Verdict.BLOCKED, whole, says)


def _held(
    rules: NatRules, held: HeldService, place: _Place, backends: Sequence[Backend]
) -> Decision:
    if held.is_rejected:
        return _decision(
            Verdict.BLOCKED, rules, f"reject {place}, as of a service without endpoints"
        )
    wanted = {f"{one.address}:{one.port}" for one in backends if one.ready}
    shown = ", ".join(sorted(held.backends)[:3])
    if held.backends and wanted and not wanted & set(held.backends):
        says = f"send {place} to {shown}, which is no endpoint of the service any more"
        return _decision(Verdict.BLOCKED, rules, says)
    says = f"send {place} to {shown or 'its endpoints'}"
    return _decision(Verdict.ALLOWED, rules, says)


def _decision(verdict: Verdict, rules: NatRules, says: str) -> Decision:
    decider = Decider(_KIND, rules.whose, says, rules.ref)
    return Decision(verdict, (decider,), (decider,))


def _has_family(rules: NatRules, address: str) -> bool:
    return rules.program != (_V4_ONLY if ":" in address else _V6_ONLY)


def _by_node(snapshot: Snapshot) -> dict[str, tuple[NatRules, ...]]:
    found: dict[str, list[NatRules]] = {}
    for rules in snapshot.some(NatRules) if snapshot.holds(NatRules.kind) else ():
        found.setdefault(rules.node, []).append(rules)
    return {node: tuple(sorted(of, key=lambda one: one.program)) for node, of in found.items()}
