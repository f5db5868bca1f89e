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


def take_judgement(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take what does not comply with a policy that denies; an audit is no refusal."""
    effect, state = value.get("policyDefinitionAction"), value.get("complianceState")
    if str(effect).casefold() != "deny" or str(state).casefold() != "noncompliant":
        return
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.azure_policy import PolicyState  # noqa: PLC0415

    named = (value.get(f"policy{part}") for part in ("AssignmentName", "DefinitionName"))
    name = "-".join(str(one) for one in named if one)
    id = f"{value['resourceId']}/providers/{PolicyState.kind}/{name}"
    entity = convert(flat({**value, "id": id, "name": name}), PolicyState).value
    if entity is not None:
        sink.entity(entity, origin)


def is_versions(value: dict[str, Any]) -> bool:
    """Whether a value is what versions a region has, in the newer or the older form."""
    values = value.get("values", value.get("orchestrators"))
    first = values[0] if isinstance(values, list) and values else None
    return isinstance(first, dict) and ("version" in first or "orchestratorVersion" in first)


def take_versions(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take the versions of a region; the answer does not name it, the file may."""
    from sickbay.bundle.foreign.usages import region_in  # noqa: PLC0415
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.applications import OfferedVersions  # noqa: PLC0415

    body = {key: value.get(key) for key in ("values", "orchestrators")}
    id = {"id": f"versions/{origin.source}", "location": region_in(origin.source)}
    entity = convert(flat({**body, **id}), OfferedVersions).value
    if entity is not None:
        sink.entity(entity, origin)


_DEPLOYED: Final = ("deployed", "superseded", "uninstalled")


def is_version(value: dict[str, Any]) -> bool:
    """Whether a value is what `az version`, `kubectl version` or a support bundle prints."""
    info = value.get("info")
    return (
        "azure-cli" in value
        or not {"clientVersion", "serverVersion"}.isdisjoint(value)
        or (isinstance(info, dict) and "gitVersion" in info)
        # An extension of az, and a chart that is deployed.
        or {"extensionType", "experimental", "version"} <= value.keys()
        or ({"chart", "revision"} <= value.keys() and value.get("status") in _DEPLOYED)
    )
