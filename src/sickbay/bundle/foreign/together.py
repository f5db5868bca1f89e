"""Lists whose items say nothing alone: counters of a quota, endpoints that a cluster needs."""

from collections.abc import Callable
from typing import Any, Final

from sickbay.bundle.foreign.egress_endpoints import is_required_endpoint, take_required_endpoints
from sickbay.bundle.foreign.usages import is_usage, take_usages
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin

Take = Callable[[list[dict[str, Any]], Origin, Sink], None]
_KINDS: Final[tuple[tuple[Callable[[Any], bool], Take], ...]] = (
    (is_usage, take_usages),
    (is_required_endpoint, take_required_endpoints),
)


def taken_together(value: Any) -> Take | None:
    """What takes a list of such values; nothing, where each stands for itself."""
    for is_this, take in _KINDS:
        if is_this(value):
            return take
    return None
