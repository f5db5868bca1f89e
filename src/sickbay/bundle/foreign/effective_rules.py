"""Effective security rules of a network interface, as `az network nic list-effective-nsg` prints.

Each group says what it is attached to, and has no id of its own.
"""

from typing import Any

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Gap, Origin, Reason


def is_effective(value: dict[str, Any]) -> bool:
    """Whether a value is one group of such an answer."""
    return isinstance(value.get("effectiveSecurityRules"), list) and "association" in value


def take_effective(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take it under the id of what the group is attached to."""
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.security import EffectiveSecurityGroup  # noqa: PLC0415

    body = flat(value)
    body["id"] = f"{_place(body)}/effectiveNetworkSecurityGroups/{_group(body)}"
    entity, problems = convert(body, EffectiveSecurityGroup)
    for problem in problems:
        what = f"{origin.locator}: {problem}"
        sink.gap(Gap(origin.source, what, Reason.MALFORMED, asked_for=True))
    if entity is not None:
        sink.entity(entity, origin)


def _place(body: dict[str, Any]) -> str:
    association = body.get("association")
    members = association if isinstance(association, dict) else {}
    return _id(members.get("networkinterface")) or _id(members.get("subnet"))


def _group(body: dict[str, Any]) -> str:
    return _id(body.get("networksecuritygroup")).rpartition("/")[2] or "unnamed"


def _id(reference: Any) -> str:
    id = reference.get("id") if isinstance(reference, dict) else None
    return id.rstrip("/") if isinstance(id, str) else ""
