"""What nodes must reach outside, as AKS lists it for a cluster."""

import re
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

# The list does not say whose it is; where a live run found it, does.
_WHERE: Final = re.compile(
    r"(?i)/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
    r"Microsoft\.ContainerService/managedClusters/[^/]+/outboundNetworkDependenciesEndpoints"
)


def is_required_endpoint(value: Any) -> bool:
    """Whether a value is one category of such a list."""
    if not isinstance(value, dict) or not isinstance(value.get("category"), str):
        return False
    endpoints = value.get("endpoints")
    first = endpoints[0] if isinstance(endpoints, list) and endpoints else None
    return isinstance(first, dict) and "domainName" in first


def take_required_endpoints(values: list[dict[str, Any]], origin: Origin, sink: Sink) -> None:
    """Take all categories of one list as one entity."""
    from sickbay.bundle.shape import flat  # noqa: PLC0415
    from sickbay.bundle.tolerant import convert  # noqa: PLC0415 - msgspec
    from sickbay.model.egress import RequiredEndpoints  # noqa: PLC0415

    found = _WHERE.search(origin.source)
    id = found[0] if found else f"egress/{origin.source}"
    entity = convert({"id": id, "categories": flat(values)}, RequiredEndpoints).value
    if entity is not None:
        sink.entity(entity, origin)
