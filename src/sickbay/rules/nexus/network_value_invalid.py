from collections.abc import Iterator

from sickbay.model.fabric import InternalNetwork, L2IsolationDomain
from sickbay.model.nexus import NexusEntity, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

_MTU = range(1500, 9201)
_LISTEN = {4: 28, 6: 127}
_STATIC = {4: 24, 6: 64}


def _too_long(what: str, prefixes: list[str | None], longest: dict[int, int]) -> Iterator[str]:
    for text in prefixes:
        prefix = parse(text or "")
        most = longest[6 if ":" in (text or "") else 4]
        if prefix and prefix.length > most:
            yield f"{what} {text} is longer than /{most}"


def _wrong(network: InternalNetwork) -> Iterator[str]:
    bgp, static = network.bgp_configuration, network.static_route_configuration
    if bgp:
        ranges = [*(bgp.ipv4_listen_range_prefixes or ()), *(bgp.ipv6_listen_range_prefixes or ())]
        yield from _too_long("BGP listen range", list(ranges), _LISTEN)
    if static:
        routes = [*(static.ipv4_routes or ()), *(static.ipv6_routes or ())]
        yield from _too_long("static route", [route.prefix for route in routes], _STATIC)


def _judge(part: NexusEntity, mtu: int | None, wrong: list[str]) -> Match | Clear | None:
    # What is enabled was accepted by the fabric, whatever the limits of its release say.
    if part.is_succeeded and same_word(part.administrative_state, "Enabled"):
        return Clear(f"{part.name} is Enabled")
    if mtu is not None and mtu not in _MTU:
        wrong = [*wrong, f"MTU {mtu} is outside 1500 to 9200"]
    if not wrong:
        return Clear(f"the values of {part.name} are in range")
    return Match(
        f"{part.name}: {'; '.join(wrong)}",
        facts={"problem": "; ".join(wrong)},
        cites=(part.cite("properties", wrong[0]),),
    )


@each(InternalNetwork)
def internal_value_is_wrong(network: InternalNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(network, network.mtu, list(_wrong(network)))


@each(L2IsolationDomain)
def domain_value_is_wrong(domain: L2IsolationDomain, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(domain, domain.mtu, [])


RULE = Rule(
    title="A value of an internal network is out of range: BGP listen range, static route or MTU",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        internal_value_is_wrong,
        domain_value_is_wrong,
        Signature(
            pattern=r"(?i)\b(?P<problem>(?:bgp ?)?(?:ipv[46] ?)?listen ?range(?: ?prefix(?:es)?)?|static ?routes?(?: ?configuration| ?prefix(?:es)?)?|mtu|vlans?(?: ?ids?)?)\b.{0,120}?(?:prefix ?length|(?:must|should) (?:not )?be (?:between|in (?:the )?range|less|at most|greater|larger|smaller|longer|shorter|/)|is (?:out of range|too (?:long|large|small|short))|exceeds|(?:not|outside) (?:with)?in (?:the )?(?:allowed |valid |supported )?range|out of (?:the )?(?:allowed |valid )?range|(?:allowed|valid|supported) range|(?:maximum|minimum) (?:is|of|value|allowed))",
            says="the fabric does not accept the value of {problem}",
            sample="Internal network creation failed: MTU must be between 1500 and 9200.",
            near_miss="Internal network creation done: MTU 9000.",
            unless=r"(?i)reserved",
            weight=TYPICAL,
        ),
    ),
    why="A BGP listen range may be at most /28 (IPv6 /127), the prefix of a static route at most /24 (IPv6 /64), and the MTU lies between 1500 and 9200. With a listen range or static route prefix that is too long, or an MTU out of range, the network does not pass validation and its domain cannot be enabled.",
    remedy=(
        Step(
            "See the values.",
            run=("az", "resource", "show", "--ids", "{subject}", "--query", "properties"),
            risk=Risk.READ,
        ),
        Step(
            "Correct them with an update ({problem}), commit the fabric, and enable the domain.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {subject} wants configurationState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/reference-isolation-domain-technical-requirements",
    ),
    leads_to=("nexus.isolation_domain_disabled", "nexus.fabric_failed"),
)
