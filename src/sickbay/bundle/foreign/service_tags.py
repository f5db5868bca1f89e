"""The file of service tags that Microsoft offers for download: a list without an id."""

from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_ID: Final = "/subscriptions/-/providers/Microsoft.Network/serviceTags/"


def is_service_tags(value: dict[str, Any]) -> bool:
    """Whether a value is that list; `az` and REST give theirs an id."""
    values = value.get("values")
    if isinstance(value.get("id"), str) or not isinstance(values, list) or not values:
        return False
    return "changeNumber" in value and _is_tag(values[0])


def take_service_tags(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take it as the list that Azure gives of the same cloud."""
    cloud = str(value.get("cloud") or "public").casefold()
    sink.arm({**value, "id": f"{_ID}{cloud}", "name": cloud}, origin)


def _is_tag(value: Any) -> bool:
    properties = value.get("properties") if isinstance(value, dict) else None
    return isinstance(properties, dict) and "addressPrefixes" in properties
