"""Resources whose id was left out of what was pasted: their type and name stand for it."""

import re
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

_TYPE: Final = re.compile(r"microsoft\.\w+(?:/\w+)+", re.IGNORECASE)
_STATES: Final = ("properties", "provisioningState")


def is_unnamed(value: dict[str, Any]) -> bool:
    """Whether a value is a resource without its id; one with an API version is of a template."""
    type, name = value.get("type"), value.get("name")
    if not isinstance(type, str) or not isinstance(name, str) or not name:
        return False
    if "id" in value or "apiVersion" in value or not any(key in value for key in _STATES):
        return False
    return _TYPE.fullmatch(type) is not None


def take_unnamed(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take it under an id that is made of what is told, with stand-ins for the rest."""
    namespace, *kinds = value["type"].split("/")
    told = value["name"].split("/")[-len(kinds) :]
    names = [f"<{kind.removesuffix('s')}>" for kind in kinds[: len(kinds) - len(told)]] + told
    pairs = "/".join(f"{kind}/{name}" for kind, name in zip(kinds, names, strict=True))
    group = value.get("resourceGroup") or "<resource-group>"
    place = f"/subscriptions/<subscription>/resourceGroups/{group}/providers/{namespace}/{pairs}"
    sink.arm({**value, "id": place}, origin)
