"""What a rule of a policy asks of the other end: pods, addresses, nodes, names; and of the port."""

from typing import Final, NamedTuple

from sickbay.network.policy_ends import End
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.selectors import EVERYTHING, Fit, InvalidPolicyError, Selector
from sickbay.network.traffic import Traffic

LAST_PORT: Final = 65_535
_BITS: Final = {4: 32, 6: 128}
_PRIVATE: Final = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 "
    "192.168.0.0/16 224.0.0.0/3"
).split()
_PUBLIC_V6: Final = "2000::/3"

Span = tuple[int, int]


class PodTest(NamedTuple):
    """Pods in one namespace, or in the namespaces that a selector names."""

    namespace: str | None = None
    namespaces: Selector = EVERYTHING
    pods: Selector = EVERYTHING

    def fit(self, end: End, family: int) -> Fit:  # noqa: ARG002 - all tests are asked alike
        if end.pod is None or (self.namespace is not None and self.namespace != end.namespace):
            return Fit.NO
        return min(self.namespaces.fit(end.namespace_labels), self.pods.fit(end.labels))


class BlockTest(NamedTuple):
    """The addresses of a prefix without those of others."""

    block: Prefix
    excepts: tuple[Prefix, ...] = ()

    def fit(self, end: End, family: int) -> Fit:
        if family != self.block.version or end.has_ended:
            return Fit.NO
        addresses = [a for a in end.addresses if a.version == family]
        if addresses:
            return max(self._holds(address) for address in addresses)
        if end.addresses:
            return Fit.NO
        if not self.excepts and self.block.size == 1 << _BITS[family]:
            return Fit.YES
        return self._holds_of_public(family) if end.is_internet else Fit.MAYBE

    def _holds(self, address: Prefix) -> Fit:
        if not self.block.overlaps(address):
            return Fit.NO
        rest = _without([(address.first, address.last)], self._spans())
        if not rest:
            return Fit.YES
        return Fit.NO if rest == [(address.first, address.last)] else Fit.MAYBE

    def _holds_of_public(self, family: int) -> Fit:
        public = _public(family)
        rest = _without(public, self._spans())
        if not rest:
            return Fit.YES
        return Fit.NO if rest == public else Fit.MAYBE

    def _spans(self) -> list[Span]:
        whole = [(self.block.first, self.block.last)]
        gone = [(e.first, e.last) for e in self.excepts if e.version == self.block.version]
        return _without(whole, sorted(gone))


class NodeTest(NamedTuple):
    """Nodes by their labels; a pod in the host's network is its node."""

    nodes: Selector

    def fit(self, end: End, family: int) -> Fit:  # noqa: ARG002
        if not end.is_host:
            return Fit.NO
        if end.node_labels is None:
            return Fit.MAYBE if self.nodes.needs else Fit.YES
        return self.nodes.fit(end.node_labels)


class DomainTest(NamedTuple):
    """Names outside the cluster; a star stands for one or more labels in front."""

    names: tuple[str, ...]

    def fit(self, end: End, family: int) -> Fit:  # noqa: ARG002
        if end.pod is not None or end.is_host or end.has_ended:
            return Fit.NO
        if not end.fqdn:
            return Fit.MAYBE
        return Fit.YES if any(_is_named(end.fqdn, name) for name in self.names) else Fit.NO


class UnknownTest(NamedTuple):
    """A peer of a form that is not known here."""

    def fit(self, end: End, family: int) -> Fit:  # noqa: ARG002
        return Fit.MAYBE


class PortTest(NamedTuple):
    """Ports of a protocol by number or by the name that the destination gives one.

    No protocol means every one that the name stands for.
    """

    protocol: str
    first: int = 0
    last: int = LAST_PORT
    name: str = ""

    def fit(self, traffic: Traffic, destination: End) -> Fit:
        if self.protocol and self.protocol != traffic.protocol:
            return Fit.NO
        if self.name:
            numbers = destination.named_ports.get((self.name, traffic.protocol), frozenset())
            if traffic.port is None:
                return Fit.MAYBE if numbers else Fit.NO
            return Fit.YES if traffic.port in numbers else Fit.NO
        if traffic.port is None:
            return Fit.YES if self.first <= 1 and self.last == LAST_PORT else Fit.MAYBE
        return Fit.YES if self.first <= traffic.port <= self.last else Fit.NO


Test = PodTest | BlockTest | NodeTest | DomainTest | UnknownTest


def prefix_of(text: str) -> Prefix:
    """The prefix that a policy writes."""
    prefix = parse(text) if "/" in text else None
    if prefix is None:
        raise InvalidPolicyError(f"{text[:64]!r} is no address prefix")
    return prefix


def _is_named(fqdn: str, name: str) -> bool:
    wanted = name.rstrip(".").casefold()
    if wanted.startswith("*."):
        return fqdn.endswith(wanted[1:]) and len(fqdn) > len(wanted) - 1
    return fqdn == wanted


def _public(family: int) -> list[Span]:
    if family == 4:  # noqa: PLR2004
        return _without([(0, (1 << 32) - 1)], sorted(_span(text) for text in _PRIVATE))
    return [_span(_PUBLIC_V6)]


def _span(text: str) -> Span:
    prefix = prefix_of(text)
    return prefix.first, prefix.last


def _without(spans: list[Span], others: list[Span]) -> list[Span]:
    """What is left of some spans, in order, without others, in order."""
    found = []
    for start, end in spans:
        at = start
        for first, last in others:
            if last < at or first > end:
                continue
            if first > at:
                found.append((at, first - 1))
            at = max(at, last + 1)
        if at <= end:
            found.append((at, end))
    return found
