"""Metrics of Azure Monitor: how long a node was at the limit of what it has."""

from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube

# Each with the share from which on it is too much: the kubelet wants a tenth of a disk to be free.
_MEASURES: Final = {
    "node_cpu_usage_percentage": ("CPU", 95.0),
    "node_memory_working_set_percentage": ("memory", 95.0),
    "node_disk_usage_percentage": ("disk", 90.0),
}
# One busy moment is no fault.
_LONG: Final = 30


def is_metric(value: dict[str, Any]) -> bool:
    """Whether a value is one metric with its points in time."""
    return isinstance(value.get("timeseries"), list) and isinstance(value.get("name"), dict)


def take_metric(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take what was too much for long; the figures themselves are no text."""
    name = str(value["name"].get("value", "")).casefold()
    if name not in _MEASURES:
        return
    measure, limit = _MEASURES[name]
    for number, series in enumerate(value["timeseries"]):
        if not isinstance(series, dict) or not (node := _node(series)):
            continue
        points = _points(series)
        high = [(at, share) for at, share in points if share >= limit]
        minutes = len(high) * _step(points)
        if minutes >= _LONG:
            peak = int(max(share for _, share in high))
            says = f"node metrics: {measure} of {node} at {peak} percent, above its limit for "
            where = Origin(origin.source, f"{origin.locator}.timeseries[{number}]")
            about = kube("Node", "", node)
            sink.text(Text(f"{says}{minutes} minutes", where, about, "event", normal(high[-1][0])))


def _node(series: dict[str, Any]) -> str:
    """The node that a series is of, by its dimensions."""
    dimensions = series.get("metadatavalues")
    for one in dimensions if isinstance(dimensions, list) else ():
        name = one.get("name") if isinstance(one, dict) else None
        if isinstance(name, dict) and str(name.get("value", "")).casefold() == "node":
            return str(one.get("value") or "")
    return ""


def _points(series: dict[str, Any]) -> list[tuple[str, float]]:
    found = []
    data = series.get("data")
    for point in data if isinstance(data, list) else ():
        share = point.get("average") if isinstance(point, dict) else None
        at = point.get("timeStamp") if isinstance(point, dict) else None
        if isinstance(share, int | float) and isinstance(at, str):
            found.append((at, float(share)))
    return found


def _step(points: list[tuple[str, float]]) -> int:
    """The minutes from one point to the next."""
    moments = [datetime.fromisoformat(normal(at)) for at, _ in points if normal(at)]
    steps = [(after - before).total_seconds() / 60 for before, after in pairwise(moments)]
    return int(min((step for step in steps if step > 0), default=0))
