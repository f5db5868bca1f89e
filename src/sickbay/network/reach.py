"""Would this traffic pass, and which object decides: every layer on the way, in order."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap, Reason
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network import policy, reach_legs
from sickbay.network.reach_legs import Asked, Leg
from sickbay.network.reach_spots import SpotKind
from sickbay.network.services_ports import declared, protocol_of
from sickbay.network.traffic import Decider, Traffic, Verdict, all_of

HTTPS: Final = 443
_WORST_FIRST: Final = (Verdict.BLOCKED, Verdict.UNKNOWN, Verdict.ALLOWED)
_MOST_PORTS: Final = 12
_BROKEN: Final = frozenset({Reason.MALFORMED, Reason.TRUNCATED, Reason.REFUSED})


class Reached(NamedTuple):
    """The answer: the verdict, who decides, the way hop by hop, and what could not be seen."""

    source: str
    target: str
    traffic: str
    verdict: Verdict
    by: tuple[Decider, ...]
    legs: tuple[Leg, ...]
    gaps: tuple[Gap, ...]


def reach(snapshot: Snapshot, asked: Asked) -> Reached:
    """Follow traffic from one end to the other.

    Without a port, the ports that the target declares are asked, or else one of each kind that the
    policies tell apart; where these fare differently, the answer is unknown until one is named.
    """
    each, is_every = _traffics(snapshot, asked)
    tried = [_one(snapshot, asked._replace(traffic=traffic)) for traffic in each]
    verdicts = {one.verdict for one in tried}
    worded = f"{asked.traffic.protocol} on any port" if is_every else _worded(tried)
    if len(verdicts) == 1:
        return _sober(snapshot, tried[0]._replace(traffic=worded))
    first = min(tried, key=lambda one: _WORST_FIRST.index(one.verdict))
    told = "; ".join(
        f"{verdict}: {', '.join(one.traffic for one in tried if one.verdict is verdict)}"
        for verdict in sorted(verdicts, key=_WORST_FIRST.index)
    )
    gap = Gap("port", f"which port is meant ({told})", to_open="name it with --port")
    every = tuple(dict.fromkeys([gap, *(gap for one in tried for gap in one.gaps)]))
    return first._replace(verdict=Verdict.UNKNOWN, traffic=worded, gaps=every)


def _sober(snapshot: Snapshot, found: Reached) -> Reached:
    """What passes as far as was read is not sure to pass where a file broke off."""
    broken = tuple(gap for gap in snapshot.gaps if gap.reason in _BROKEN)
    if not broken or found.verdict is not Verdict.ALLOWED:
        return found._replace(gaps=(*found.gaps, *broken))
    return found._replace(verdict=Verdict.UNKNOWN, gaps=(*found.gaps, *broken))


def _one(snapshot: Snapshot, asked: Asked) -> Reached:
    legs: list[Leg] = []
    for leg in reach_legs.legs(snapshot, asked):
        legs.append(leg)
        if leg.decision.verdict is Verdict.BLOCKED:
            break
    decision = all_of(leg.decision for leg in legs)
    return Reached(
        asked.source.label,
        asked.target.label,
        str(asked.traffic),
        decision.verdict,
        tuple(dict.fromkeys(decision.by)),
        tuple(legs),
        decision.gaps,
    )


def _traffics(snapshot: Snapshot, asked: Asked) -> tuple[Sequence[Traffic], bool]:
    """What is asked for; and whether it stands for every port."""
    if asked.traffic.port is not None:
        return (asked.traffic,), False
    target = asked.target
    found: Sequence[Traffic] = ()
    if target.kind is SpotKind.SERVICE and target.service is not None:
        found = [Traffic(protocol_of(port), port.port) for port in target.service.spec.ports or ()]
    elif target.place.pod is not None:
        found = _declared(target.place.pod)
    elif target.kind in (SpotKind.INTERNET, SpotKind.NAME, SpotKind.API_SERVER):
        found = [Traffic("TCP", HTTPS)]
    if asked.protocol_is_given:
        found = [one for one in found if one.protocol == asked.traffic.protocol]
    return (tuple(dict.fromkeys(found)), False) if found else (_classes(snapshot, asked), True)


def _declared(pod: Pod) -> list[Traffic]:
    ports = [port for port in declared(pod) if port.container_port]
    return [Traffic(protocol_of(port), port.container_port) for port in ports]


def _classes(snapshot: Snapshot, asked: Asked) -> tuple[Traffic, ...]:
    protocol = asked.traffic.protocol
    ports = policy.ports_that_matter(snapshot, asked.source.place, asked.target.place, protocol)
    return tuple(Traffic(protocol, port) for port in ports) or (asked.traffic,)


def _worded(tried: Sequence[Reached]) -> str:
    more = len(tried) - _MOST_PORTS
    named = ", ".join(one.traffic for one in tried[:_MOST_PORTS])
    return named + (f" and {more} more" if more > 0 else "")
