"""Quota counters of a region, as `az vm list-usage` and REST list them."""

import re
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_REGION_IN_NAME: Final = re.compile(
    r"(?i)(?:^|[/_.-])([a-z]+(?:us|europe|asia|india|uk|japan|korea|brazil|africa|norway|germany|france|canada|australia|sweden|poland|italy|spain|mexico|israel|qatar|uae)[a-z]*\d?)(?=[/_.-])"
)


# Counters whose words differ from their key by more than spaces.
_WORDS: Final = {
    "total regional vcpus": "cores",
    "total regional low-priority vcpus": "lowPriorityCores",
    "total regional spot vcpus": "lowPriorityCores",
    "virtual machines": "virtualMachines",
    "virtual machine scale sets": "virtualMachineScaleSets",
    "public ip addresses": "PublicIPAddresses",
    "public ip addresses - basic": "PublicIPAddresses",
    "static public ip addresses": "StaticPublicIPAddresses",
    "public ip addresses - standard": "StandardSkuPublicIpAddresses",
}
_LIST: Final = r"(?i)/.{1,300}?/locations/([a-z0-9]+)(?:/usages)?"


def is_usage(value: Any) -> bool:
    """Whether a value is a counter with its limit."""
    return isinstance(value, dict) and "currentValue" in value and "limit" in value


def take_usages(values: list[dict[str, Any]], origin: Origin, sink: Sink) -> None:
    """Take the counters of one region as one entity.

    The region is named by the ids or by the file.
    """
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.azure import RegionUsages  # noqa: PLC0415

    ids = sorted(str(value["id"]) for value in values if value.get("id"))
    found = re.match(_LIST, ids[0]) if ids else None
    body: dict[str, Any] = {"id": found[0] if found else f"usages/{origin.source}"}
    body["location"] = found[1].casefold() if found else region_in(origin.source)
    body["usages"] = [_counter(flat(value)) for value in values]
    entity = convert(body, RegionUsages).value
    if entity is not None:
        sink.entity(entity, origin)
        sink.seen(RegionUsages.kind)


def region_in(source: str) -> str | None:
    """The region that the name of a file tells."""
    named = _REGION_IN_NAME.search(source)
    return named[1].casefold() if named else None


def _counter(value: dict[str, Any]) -> dict[str, Any]:
    """A counter with its name as an object, as REST has it; a table gives the words of the name."""
    name = value.get("name")
    if not isinstance(name, str):
        return value
    key = _WORDS.get(name.casefold(), name.removesuffix(" vCPUs").replace(" ", ""))
    return {**value, "name": {"value": key, "localizedvalue": name}}
