"""Whether one rule of an Azure Firewall matches a flow: yes, no, or nobody can tell."""

from collections.abc import Callable, Iterable
from math import nan
from typing import NamedTuple

from sickbay.model.evidence import Gap, Reason
from sickbay.model.ids import arm
from sickbay.model.routing import FirewallRule, IpGroup, RuleProtocol
from sickbay.model.security import ServiceTags
from sickbay.model.snapshot import Snapshot
from sickbay.network.firewall_rules import Ruled, Stage
from sickbay.network.flow import Flow
from sickbay.network.nsg_ranges import Match, is_public
from sickbay.network.prefixes import Prefix, parse
from sickbay.network.service_tags import (
    is_public_name,
    of_address,
    of_name,
    tag_book,
    tags_of_name,
)

ANY = "*"
_LONGEST_PORT = 5
# The names behind an FQDN tag, or None where they are not known.
TagNames = Callable[[str], frozenset[str] | None]


class Matched(NamedTuple):
    """Whether a rule matches, and what would have to be read where that is a maybe."""

    match: Match
    gaps: tuple[Gap, ...] = ()


class Matcher:
    """Compares the rules of one firewall with one flow."""

    def __init__(
        self, snapshot: Snapshot, flow: Flow, names_of: TagNames, *, has_dns_proxy: bool
    ) -> None:
        self._snapshot = snapshot
        self._flow = flow
        self._names_of = names_of
        self._has_dns_proxy = has_dns_proxy
        self._source = parse(flow.source)
        self._destination = parse(flow.destination)
        self._name = flow.destination_fqdn.casefold().rstrip(".")

    def match(self, ruled: Ruled) -> Matched:
        """Of conditions that must all hold the least counts."""
        rule = ruled.rule
        is_application = ruled.stage is Stage.APPLICATION
        traffic = self._application(rule) if is_application else self._transport(rule)
        if traffic is Match.NO:
            return Matched(Match.NO)
        gaps: list[Gap] = []
        parts = [traffic, self._from(rule, gaps)]
        parts.append(self._to_name(rule, gaps) if is_application else self._to(rule, gaps))
        least = min(parts)
        return Matched(least, tuple(gaps) if least is Match.MAYBE else ())

    def _transport(self, rule: FirewallRule) -> Match:
        words = [one for one in rule.protocols or () if isinstance(one, str)]
        protocols = {word.casefold() for word in (*words, *(rule.ip_protocols or ()))}
        own = self._flow.protocol.casefold()
        if protocols and own not in protocols and not protocols & {"any", ANY}:
            return Match.NO
        if own == "icmp":
            return Match.YES
        return _port_in(self._flow.port, rule.destination_ports or ())

    def _application(self, rule: FirewallRule) -> Match:
        if self._flow.protocol.casefold() != "tcp":
            return Match.NO
        ports = [one.port for one in rule.protocols or () if isinstance(one, RuleProtocol)]
        if self._flow.port is None:
            return Match.MAYBE
        return Match.YES if self._flow.port in ports else Match.NO

    def _from(self, rule: FirewallRule, gaps: list[Gap]) -> Match:
        texts = [*(rule.source_addresses or ()), *self._groups(rule.source_ip_groups, gaps)]
        if not texts and not rule.source_ip_groups:
            return Match.YES
        if self._flow.source_is_internet:
            return _best(_of_internet(text) for text in texts)
        found = _best(_holds(text, self._source) for text in texts)
        return self._or_unread(found, gaps)

    def _to(self, rule: FirewallRule, gaps: list[Gap]) -> Match:
        texts = [
            *(rule.destination_addresses or ()),
            *self._groups(rule.destination_ip_groups, gaps),
        ]
        found = _best(self._address(text, gaps) for text in texts)
        by_name = _best(self._fqdn(name) for name in rule.destination_fqdns or ())
        if by_name is Match.MAYBE:
            gaps.append(self._nameless("the name in a network rule"))
        return self._or_unread(max(found, by_name), gaps)

    def _to_name(self, rule: FirewallRule, gaps: list[Gap]) -> Match:
        found = [self._wild(pattern) for pattern in rule.target_fqdns or ()]
        found += [self._behind(tag, gaps) for tag in rule.fqdn_tags or ()]
        found += [self._url(url) for url in rule.target_urls or ()]
        if rule.web_categories:
            found.append(Match.MAYBE)
            what = f"whether a web category of {rule.name} holds {self._name or 'the name'}"
            gaps.append(Gap("web category", what, Reason.NOT_UNDERSTOOD))
        best = _best(found)
        if best is Match.MAYBE and not gaps:
            gaps.append(self._nameless("the name that is asked for"))
        return best

    def _address(self, text: str, gaps: list[Gap]) -> Match:
        if text == ANY or _stretch(text):
            if self._destination is None and text != ANY:
                return self._unresolved(text)
            return _holds(text, self._destination)
        match = self._tag(text)
        if match is Match.MAYBE:
            what = f"the ranges of the service tag {text}"
            gaps.append(Gap(ServiceTags.kind, what, to_open=ServiceTags.look))
        return match

    def _tag(self, tag: str) -> Match:
        if self._destination is not None:
            match = of_address(tag_book(self._snapshot), tag, self._destination)
            if match is not Match.MAYBE:
                return match
        own = tags_of_name(self._name)
        # A service with several parts needs all of them.
        return min((of_name(tag, one) for one in own), default=Match.MAYBE)

    def _unresolved(self, text: str) -> Match:
        """Of a name whose address is not known: a public one is at no private address."""
        first = _stretch(text)
        is_outside = first is not None and not is_public(first[0]) and is_public_name(self._name)
        return Match.NO if is_outside else Match.MAYBE

    def _fqdn(self, name: str) -> Match:
        if not self._name:
            return Match.MAYBE
        if self._name != name.casefold().rstrip("."):
            return Match.NO
        return Match.YES if self._has_dns_proxy else Match.MAYBE

    def _wild(self, pattern: str) -> Match:
        if pattern == ANY:
            return Match.YES
        if not self._name:
            return Match.MAYBE
        return Match.YES if fits(pattern, self._name) else Match.NO

    def _url(self, url: str) -> Match:
        host, _, path = (
            url.partition("://")[2].partition("/") if "://" in url else (url.partition("/"))
        )
        found = self._wild(host)
        return Match.MAYBE if found is Match.YES and path not in {"", ANY} else found

    def _behind(self, tag: str, gaps: list[Gap]) -> Match:
        names = self._names_of(tag)
        if names is None:
            what = f"the names that the FQDN tag {tag} stands for"
            gaps.append(Gap("FQDN tag", what, to_open="az network firewall list-fqdn-tags -o json"))
            return Match.MAYBE
        return _best(self._wild(name) for name in sorted(names))

    def _groups(self, ids: list[str] | None, gaps: list[Gap]) -> list[str]:
        texts: list[str] = []
        for id in ids or ():
            group = self._snapshot.find(arm(id))
            if isinstance(group, IpGroup):
                texts += group.ip_addresses or []
            else:
                look = f"az network ip-group show --ids {id} -o json"
                gaps.append(Gap(IpGroup.kind, f"the addresses of {id}", to_open=look))
        return texts

    def _or_unread(self, found: Match, gaps: list[Gap]) -> Match:
        """An unread group may hold the address after all."""
        is_unread = any(gap.source == IpGroup.kind for gap in gaps)
        return Match.MAYBE if is_unread and found is Match.NO else found

    def _nameless(self, what: str) -> Gap:
        return Gap("name", f"{what}, for {self._name or self._flow.destination}")


def fits(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern in which `*` stands for anything, in linear time."""
    first, *rest = pattern.casefold().rstrip(".").split(ANY)
    if not rest:
        return first == name
    if not name.startswith(first):
        return False
    at = len(first)
    for part in rest[:-1]:
        at = name.find(part, at) + len(part)
        if at < len(part):
            return False
    return len(name) - len(rest[-1]) >= at and name.endswith(rest[-1])


def _best(matches: Iterable[Match]) -> Match:
    return max(matches, default=Match.NO)


def _stretch(text: str) -> tuple[Prefix, Prefix] | None:
    """The first and the last of `10.0.0.0/24`, `10.0.0.1` or `10.0.0.1-10.0.0.9`."""
    first, dash, last = text.partition("-")
    low, high = parse(first), parse(last if dash else first)
    return (low, high) if low and high and low.version == high.version else None


def _holds(text: str, address: Prefix | None) -> Match:
    if text == ANY:
        return Match.YES
    ends = _stretch(text)
    if address is None or ends is None:
        return Match.MAYBE
    low, high = ends
    is_within = low.first <= address.first and address.last <= high.last
    return Match.YES if low.version == address.version and is_within else Match.NO


def _of_internet(text: str) -> Match:
    """Whether every sender on the internet is meant, or some, or none."""
    ends = _stretch(text)
    if text == ANY or (ends and ends[0].length == 0):
        return Match.YES
    return Match.NO if ends and not is_public(ends[0]) else Match.MAYBE


def _port_in(port: int | None, ranges: Iterable[str]) -> Match:
    texts = [text.strip() for text in ranges]
    if ANY in texts or "0-65535" in texts or "1-65535" in texts:
        return Match.YES
    if port is None:
        return Match.MAYBE if texts else Match.NO
    for text in texts:
        low, dash, high = text.partition("-")
        if _port(low) <= port <= (_port(high) if dash else _port(low)):
            return Match.YES
    return Match.NO


def _port(text: str) -> float:
    """The number of a port; what is none compares with none."""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_PORT else nan
