"""The ports that the rules of policies write, in their three spellings."""

from typing import Final

from sickbay.model import policies as written
from sickbay.network.policy_tests import LAST_PORT, PortTest
from sickbay.network.selectors import InvalidPolicyError

PROTOCOLS: Final = ("TCP", "UDP", "SCTP")


def ports_of(ports: list[written.PolicyPort] | None) -> tuple[PortTest, ...] | None:
    """The ports of a NetworkPolicy; none and an empty list both mean all."""
    return tuple(_port(port) for port in ports) if ports else None


def admin_ports(rule: written.AdminRule) -> tuple[PortTest, ...] | None:
    """The ports of a policy of an administrator, as versions one and two of the API write them."""
    first = [_admin_port(port) for port in rule.ports or ()]
    second = [_second(protocol) for protocol in rule.protocols or ()]
    return tuple(first + second) or None


def _port(port: written.PolicyPort) -> PortTest:
    protocol = _protocol(port.protocol)
    if port.port is None:
        if port.end_port is not None:
            raise InvalidPolicyError("an endPort stands without a port")
        return PortTest(protocol)
    if isinstance(port.port, str):
        if port.end_port is not None:
            raise InvalidPolicyError("an endPort stands with the name of a port")
        return _named(protocol, port.port)
    return _numbered(protocol, port.port, port.port if port.end_port is None else port.end_port)


def _admin_port(port: written.AdminPort) -> PortTest:
    if port.port_number is not None:
        number = port.port_number
        return _numbered(_protocol(number.protocol), number.port, number.port)
    if port.port_range is not None:
        numbers = port.port_range
        return _numbered(_protocol(numbers.protocol), numbers.start, numbers.end)
    return _named("", port.named_port or "")


def _second(protocol: written.AdminProtocol) -> PortTest:
    by_name = (("TCP", protocol.tcp), ("UDP", protocol.udp), ("SCTP", protocol.sctp))
    for name, ports in by_name:
        if ports is None:
            continue
        port = ports.destination_port
        if port is None:
            return PortTest(name)
        if port.range is not None:
            return _numbered(name, port.range.start, port.range.end)
        return _numbered(name, port.number or 0, port.number or 0)
    return _named("", protocol.destination_named_port or "")


def _protocol(text: str | None) -> str:
    protocol = text or "TCP"
    if protocol not in PROTOCOLS:
        raise InvalidPolicyError(f"{protocol[:64]!r} is no protocol of a policy")
    return protocol


def _named(protocol: str, name: str) -> PortTest:
    if not name or name.isdigit():
        raise InvalidPolicyError(f"{name[:64]!r} is no name of a port")
    return PortTest(protocol, name=name)


def _numbered(protocol: str, first: int, last: int) -> PortTest:
    if not 1 <= first <= last <= LAST_PORT:
        raise InvalidPolicyError(f"{first}-{last} are no ports")
    return PortTest(protocol, first, last)
