"""Random sets of rules, held against an evaluation that tries each rule by brute force."""

import ipaddress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from nsg_kit import OUT, decided, rule  # type: ignore[import-not-found]

from sickbay.network.flow import Flow
from sickbay.network.traffic import Verdict

# Few addresses and ports, so that rules and flows meet often.
ADDRESS = st.integers(0, 15).map(lambda n: f"20.0.0.{n}")
PREFIX = st.builds(
    lambda n, length: str(ipaddress.ip_network(f"20.0.0.{n}/{length}", strict=False)),
    st.integers(0, 15),
    st.integers(28, 32),
)
PORT = st.integers(80, 90)
SPAN = st.one_of(
    PORT.map(str),
    st.tuples(PORT, PORT).map(lambda pair: f"{min(pair)}-{max(pair)}"),
    st.just("*"),
)
PROTOCOL = st.sampled_from(["Tcp", "UDP", "icmp", "*"])
PREFIXES = st.one_of(st.just(["*"]), st.lists(PREFIX, min_size=1, max_size=3))
RULE = st.fixed_dictionaries(
    {
        "access": st.sampled_from(["Allow", "Deny"]),
        "direction": st.sampled_from(["Outbound", "Outbound", "Inbound"]),
        "protocol": PROTOCOL,
        "sourceAddressPrefixes": PREFIXES,
        "destinationAddressPrefixes": PREFIXES,
        "destinationPortRanges": st.lists(SPAN, min_size=1, max_size=3),
    }
)
FLOW = st.builds(Flow, ADDRESS, ADDRESS, st.sampled_from(["TCP", "UDP"]), PORT)


def held(address: str, prefixes: list[str]) -> bool:
    number = ipaddress.ip_address(address)
    return any(p == "*" or number in set(ipaddress.ip_network(p)) for p in prefixes)


def spanned(port: int, spans: list[str]) -> bool:
    ports: set[int] = set()
    for span in spans:
        first, _, last = span.replace("*", "0-65535").partition("-")
        ports |= set(range(int(first), int(last or first) + 1))
    return port in ports


def brute(rules: list[dict[str, Any]], flow: Flow) -> Verdict:
    """The first rule that fits, by priority; without one, all public addresses may be called."""
    for one in rules:
        fits = (
            one["direction"] == "Outbound"
            and one["protocol"].upper() in ("*", flow.protocol)
            and held(flow.source, one["sourceAddressPrefixes"])
            and held(flow.destination, one["destinationAddressPrefixes"])
            and spanned(flow.port or 0, one["destinationPortRanges"])
        )
        if fits:
            return Verdict.ALLOWED if one["access"] == "Allow" else Verdict.BLOCKED
    return Verdict.ALLOWED


def written(number: int, fields: dict[str, Any]) -> dict[str, Any]:
    """A rule as a document, with plural fields only."""
    none = dict.fromkeys(
        ("sourceAddressPrefix", "destinationAddressPrefix", "destinationPortRange")
    )
    document: dict[str, Any] = rule(f"r{number}", 100 + number, "Deny Outbound", **none, **fields)
    return document


@settings(max_examples=120, deadline=None)
@given(st.lists(RULE, max_size=6), FLOW, st.randoms())
def test_the_evaluation_agrees_with_brute_force(
    rules: list[dict[str, Any]], flow: Flow, random: Any
) -> None:
    documents = [written(number, fields) for number, fields in enumerate(rules)]
    random.shuffle(documents)
    assert decided(*documents, flow=flow, crossing=OUT).verdict is brute(rules, flow)


@settings(max_examples=40, deadline=None)
@given(st.lists(RULE, max_size=5), FLOW)
def test_a_rule_of_another_direction_changes_nothing(
    rules: list[dict[str, Any]], flow: Flow
) -> None:
    documents = [written(number, fields) for number, fields in enumerate(rules)]
    other = rule("other", 99, "Deny Inbound")
    assert decided(*documents, other, flow=flow) == decided(*documents, flow=flow)
