"""What Azure offers and how it judges: sizes, policy states, versions.

Known, and no fault by itself: a size that nobody asked for may be restricted, and an audit is no
refusal.
"""

from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_MACHINES: Final = "virtualmachines"


def is_offer(value: dict[str, Any]) -> bool:
    """Whether a value is a size with its restrictions, as the list of SKUs has them."""
    return isinstance(value.get("resourceType"), str) and (
        "locations" in value or "locationInfo" in value
    )


def take_offer(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take a VM size as each region of the list offers it; other resources have no rules."""
    name, places = value.get("name"), value.get("locations")
    is_machine = str(value["resourceType"]).casefold() == _MACHINES
    if not is_machine or not isinstance(name, str) or not isinstance(places, list):
        return
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.vmsize import VmSku  # noqa: PLC0415

    for place in places:
        region = str(place).replace(" ", "").casefold()
        id = f"/subscriptions/-/providers/Microsoft.Compute/locations/{region}/skus/{name}"
        entity = convert(flat({**value, "id": id, "locations": [region]}), VmSku).value
        if entity is not None:
            sink.entity(entity, origin)


def is_judgement(value: dict[str, Any]) -> bool:
    """Whether a value is a policy state, or the summary of some."""
    if "policyAssignmentId" in value and "resourceId" in value:
        return True
    return isinstance(value.get("results"), dict) and "policyAssignments" in value


def is_version(value: dict[str, Any]) -> bool:
    """Whether a value is what `az version` prints, or what versions a region has."""
    if "azure-cli" in value:
        return True
    values = value.get("values")
    first = values[0] if isinstance(values, list) and values else None
    return isinstance(first, dict) and "version" in first
