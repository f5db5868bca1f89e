"""A security rule in words, as a reader would say it."""

from typing import Final

from sickbay.network.nsg_match import Answer
from sickbay.network.nsg_ranges import Match
from sickbay.network.nsg_terms import Terms

_MOST: Final = 3
_VERBS: Final = {"allow": "allows", "deny": "denies"}


def says(rule: Terms, place: str) -> str:
    """What a rule does: `denies TCP to port 443 of Internet at priority 200 (outbound, …)`."""
    protocol = "" if rule.protocol == "*" else rule.protocol.upper()
    source = "" if rule.source.is_any else f" from {_listed(rule.source.said)}"
    what = _target(rule)
    subject = protocol or ("traffic" if source or what else "everything")
    where = f"({rule.direction}, {place})"
    verb = _VERBS.get(rule.access, "decides on")
    return f"{verb} {subject}{source}{what} at priority {rule.priority} {where}"


def judged(rule: Terms, place: str, answer: Answer) -> str:
    """The same for a reader who follows the rules one by one."""
    if answer.match is Match.NO:
        return f"does not apply: {says(rule, place)}"
    if answer.match is Match.YES:
        return says(rule, place)
    return f"may apply, for {answer.why}: {says(rule, place)}"


def _target(rule: Terms) -> str:
    ports = rule.destination_ports
    place = "" if rule.destination.is_any else _listed(rule.destination.said)
    if ports.is_any or not ports.said:
        return f" to {place}" if place else ""
    word = "port" if len(ports.said) == 1 and "-" not in ports.said[0] else "ports"
    named = f" to {word} {_listed(ports.said)}"
    return f"{named} of {place}" if place else named


def _listed(words: tuple[str, ...]) -> str:
    if not words:
        return "what is not told"
    shown = ", ".join(words[:_MOST])
    more = len(words) - _MOST
    return f"{shown} and {more} more" if more > 0 else shown
