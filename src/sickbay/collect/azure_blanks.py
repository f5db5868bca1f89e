"""What a resource says that fills the blanks of the table: its groups, its region, its state."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sickbay.collect.types import Near, When
from sickbay.model.ids import Ref

# Azure keeps events for ninety days; most of what fails is looked at within some.
DAYS: Final = 14
_BLANK: Final = re.compile(r"\{(\w+)\}")
_UNWELL: Final = frozenset({"failed", "canceled", "cancelled"})
_HYBRID: Final = "provisionedcluster"


def blanks(ref: Ref, document: Mapping[str, Any], now: datetime) -> dict[str, str]:
    """The words that a resource gives; what it does not tell is empty."""
    properties = _members(document.get("properties"))
    subscription = f"{_ID}{ref.subscription}"
    nodes = str(properties.get("nodeResourceGroup") or "")
    place = _members(document.get("extendedLocation")).get("name")
    return {
        "id": ref.id.rstrip("/"),
        "group": f"{subscription}/resourceGroups/{ref.group}" if ref.group else "",
        "group_name": ref.group,
        "nodes": f"{subscription}/resourceGroups/{nodes}" if nodes else "",
        "nodes_name": nodes,
        "subscription": subscription,
        "place": str(document.get("location") or "").replace(" ", "").casefold(),
        "location": place if isinstance(place, str) and place.startswith("/") else "",
        "since": since(now),
        "day": f"{since(now, 1)}/{since(now, 0)}",
        "workspace": str(properties.get("customerId") or ""),
    }


@cache
def since(now: datetime, days: int = DAYS) -> str:
    """The time from which on events are asked for."""
    return f"{now - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def filled(template: str, words: Mapping[str, str]) -> str:
    """A template with its blanks filled; nothing, where the resource does not tell one of them."""
    for word in (needed := _blanks_in(template)):
        if not words.get(word):
            return ""
    return template.format_map(words) if needed else template


@cache
def _blanks_in(template: str) -> tuple[str, ...]:
    return tuple(_BLANK.findall(template))


def is_meant(near: Near, document: Mapping[str, Any]) -> bool:
    """Whether a row of the table is for this resource."""
    if near.when is When.ALWAYS:
        return True
    if near.when is When.HYBRID:
        return str(document.get("kind") or "").casefold() == _HYBRID
    if near.when is When.OWN_NETWORK:
        return _is_in_own_network(document)
    return is_unwell(document)


def _is_in_own_network(document: Mapping[str, Any]) -> bool:
    """Whether nodes stand in a subnet that somebody gave, whose rules may hold them up."""
    pools = _members(document.get("properties")).get("agentPoolProfiles")
    listed = pools if isinstance(pools, list) else []
    return any(_members(pool).get("vnetSubnetID") for pool in listed)


def is_unwell(document: Mapping[str, Any]) -> bool:
    state = _members(document.get("properties")).get("provisioningState")
    return str(state or "").casefold() in _UNWELL


def scope_of(path: str) -> str:
    """What a complete list at a path covers: the resource or the group above it."""
    above, found, tail = path.rpartition("/providers/")
    # Behind `providers` stand a namespace, and pairs of a type and a name; a list lacks the last.
    is_child = found and tail.count("/") > 1
    return path.rpartition("/")[0] if is_child or not found else above


def _members(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


_ID: Final = "/subscriptions/"
