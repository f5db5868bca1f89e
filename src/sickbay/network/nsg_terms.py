"""The terms of a security rule: its fields in all their spellings, read once."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sickbay.model.azure import Reference
from sickbay.model.ids import Ref, arm
from sickbay.model.security import EffectiveRule, SecurityRule
from sickbay.network.nsg_ranges import Ranges, ranges
from sickbay.network.prefixes import Prefix, parse

_ANY: Final = frozenset({"*", "any", "all"})
_MOST_PORT: Final = 65535
# A rule without a priority is none that Azure took; it comes behind all that it did.
_LAST_OF_USERS: Final = 4097
FIRST_DEFAULT: Final = 65000
_LONGEST_PORT: Final = 5

Span = tuple[int, int]
EVERY_PORT: Final[Span] = (0, _MOST_PORT)


class Ports(NamedTuple):
    """Spans of ports; `said` is how the rule spells them, and not all of it may be readable."""

    spans: tuple[Span, ...]
    said: tuple[str, ...]
    is_read: bool

    @property
    def is_any(self) -> bool:
        return EVERY_PORT in self.spans

    def hold(self, port: int) -> bool:
        return any(first <= port <= last for first, last in self.spans)


class Party(NamedTuple):
    """One side of a rule: any address, ranges, service tags, application security groups.

    `said` is how the rule spells it all, and not all of it may be readable.
    """

    is_any: bool
    held: Ranges
    tags: tuple[str, ...]
    groups: tuple[Ref, ...]
    said: tuple[str, ...]
    is_read: bool


class Terms(NamedTuple):
    """A rule, ready to be asked of many flows."""

    name: str
    ref: Ref
    priority: int
    direction: str
    access: str
    protocol: str
    source: Party
    source_ports: Ports
    destination: Party
    destination_ports: Ports

    @property
    def is_default(self) -> bool:
        return self.priority >= FIRST_DEFAULT

    @property
    def allows(self) -> bool:
        return self.access == "allow"


def terms_of(rule: SecurityRule) -> Terms:
    """Read a rule; singular and plural fields and lists with commas mean the same."""
    sources, destinations = _addresses(rule)
    return Terms(
        name=(rule.name or rule.ref.name).rpartition("/")[2],
        ref=rule.ref,
        priority=_LAST_OF_USERS if rule.priority is None else rule.priority,
        direction=(rule.direction or "").strip().casefold(),
        access=(rule.access or "").strip().casefold(),
        protocol=_protocol(rule.protocol),
        source=_party(sources, rule.source_application_security_groups),
        source_ports=_ports(rule.source_port_range, rule.source_port_ranges),
        destination=_party(destinations, rule.destination_application_security_groups),
        destination_ports=_ports(rule.destination_port_range, rule.destination_port_ranges),
    )


def _addresses(rule: SecurityRule) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of both sides; where the platform says what a tag stands for, its ranges."""
    source = _words(rule.source_address_prefix, rule.source_address_prefixes)
    destination = _words(rule.destination_address_prefix, rule.destination_address_prefixes)
    if isinstance(rule, EffectiveRule):
        source = tuple(rule.expanded_source_address_prefix or ()) or source
        destination = tuple(rule.expanded_destination_address_prefix or ()) or destination
    return source, destination


def _words(one: str | int | None, many: Sequence[str | int] | None) -> tuple[str, ...]:
    texts = ["" if one is None else str(one), *map(str, many or ())]
    words = (word.strip() for text in texts for word in text.split(","))
    return tuple(dict.fromkeys(word for word in words if word))


def _party(words: tuple[str, ...], groups: list[Reference] | None) -> Party:
    refs = tuple(arm(group.id) for group in groups or () if group.id)
    read: list[tuple[str, Prefix | None]] = [(word, parse(word)) for word in words]
    is_any = any(word.casefold() in _ANY for word in words)
    others = [word for word, prefix in read if not prefix and word.casefold() not in _ANY]
    tags = tuple(word for word in others if word[0].isalpha() and ":" not in word)
    said = tuple("any address" if word.casefold() in _ANY else word for word in words)
    return Party(
        is_any=is_any,
        held=ranges(prefix for _, prefix in read),
        tags=tags,
        groups=refs,
        said=(*said, *(ref.name for ref in refs)),
        is_read=bool(said or refs) and len(tags) == len(others),
    )


def _ports(one: str | int | None, many: Sequence[str | int] | None) -> Ports:
    words = _words(one, many)
    spans = [span for span in map(_span, words) if span]
    return Ports(
        tuple(dict.fromkeys(spans)), words, is_read=bool(words) and len(spans) == len(words)
    )


def _span(word: str) -> Span | None:
    if word.casefold() in _ANY:
        return EVERY_PORT
    first, _, last = word.partition("-")
    low, high = _port(first), _port(last or first)
    return (low, high) if low is not None and high is not None and low <= high else None


def _port(text: str) -> int | None:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_PORT):
        return None
    port = int(text)
    return port if port <= _MOST_PORT else None


def _protocol(text: str | None) -> str:
    word = (text or "").strip().casefold()
    return "*" if word in _ANY else word
