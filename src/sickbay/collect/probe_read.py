"""What the answers of a probe mean, as evidence: of the service, the pod or the node meant."""

import io
from typing import Final

from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.probe_script import Section
from sickbay.collect.probe_targets import End, Target
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, kube

_CHANNEL: Final = "probe"
_API: Final = "default/kubernetes"
_REFUSED: Final = "connect: connection refused"
_SILENT: Final = "i/o timeout"
# More than a clock may differ from ours before tokens and certificates suffer.
_DRIFT: Final = 120


def take_network(found: list[Section], targets: list[Target], node: str, sink: Sink) -> None:
    """Hand in what did not answer, in words that rules know."""
    ways = {(one.first, one.second): one for one in found if one.what == "tcp"}
    for target in targets:
        for said, about in _judged(target, ways, node):
            sink.text(Text(said, Origin(f"kubernetes/probe/{node}", "tcp"), about, _CHANNEL))
    for one in found:
        if one.what == "lookup" and one.code:
            _hear(one, f"kubernetes/nodes/{node}/probe-lookup-{one.first}.txt", sink)
        elif one.what == "api" and "401" in one.said:
            says = f"probe on {node}: the token of a pod is refused: {one.said[:200]}"
            about = kube("Node", "", node)
            sink.text(Text(says, Origin(f"kubernetes/probe/{node}", "api"), about, _CHANNEL))
        elif one.what == "outside" and one.code:
            way = f"{one.first} port {one.second} after 3000 ms"
            text = f"curl: (28) Failed to connect to {way}: Timed out"
            about = kube("Node", "", node)
            sink.text(Text(text, Origin(f"kubernetes/probe/{node}", "outside"), about, _CHANNEL))


def take_node(found: list[Section], node: str, now: float, sink: Sink) -> None:
    """Hand in what a node showed, to the readers of such files."""
    for one in found:
        if one.what.startswith("node/") and one.said:
            name = one.what.removeprefix("node/")
            _hear(one, f"kubernetes/nodes/{node}/{name}", sink)
        elif one.what == "time" and one.said.isdecimal() and abs(int(one.said) - now) > _DRIFT:
            off = int(one.said) - now
            apart = f"{abs(off):.0f} seconds {_side(off)}"
            says = f"the clock of node {node} is {apart} that of this machine"
            about = kube("Node", "", node)
            sink.text(Text(says, Origin(f"kubernetes/probe/{node}", "time"), about, _CHANNEL))


def _judged(
    target: Target, ways: dict[tuple[str, str], Section], node: str
) -> list[tuple[str, Ref]]:
    """What is wrong between a service and its pods, as far as both were tried."""
    service, tried = target.service, _way(target.service, ways)
    backends = [(end, _way(end, ways)) for end in target.backends]
    answering = [end for end, way in backends if way == ""]
    said: list[tuple[str, Ref]] = []
    if tried and service.name == _API:
        place = f"{service.address}:{service.port}"
        said.append(
            (
                f'probe on {node}: Get "https://{place}/version": dial tcp {place}: {tried}',
                _ref(service),
            )
        )
    elif tried and target.is_whole and 0 < len(answering) == len(backends):
        end = answering[0]
        said.append(
            (
                f"probe on node {node}: service {service.name} does not answer on "
                f"{service.address}:{service.port}: {tried}, though {end.name or end.address} "
                f"behind it does on {end.address}:{end.port}",
                _ref(service),
            )
        )
    for end, way in backends:
        is_meant = way == _SILENT and target.is_guarded
        if way and end.name and not is_meant:
            why = "refuses connections" if way == _REFUSED else "does not answer"
            place = f"{end.address}:{end.port}"
            said.append(
                (f"probe on node {node}: pod {end.name} {why} on {place}: {way}", _ref(end))
            )
    return said


def _way(end: End, ways: dict[tuple[str, str], Section]) -> str | None:
    """Nothing where an end answers, why where it does not, None where it was not tried."""
    tried = ways.get((end.address, str(end.port)))
    if tried is None:
        return None
    if tried.code == 0:
        return ""
    return _REFUSED if "refused" in tried.said.casefold() else _SILENT


def _ref(end: End) -> Ref:
    namespace, _, name = end.name.partition("/")
    return kube(end.kind, namespace, name)


def _side(off: float) -> str:
    return "ahead of" if off > 0 else "behind"


def _hear(section: Section, source: str, sink: Sink) -> None:
    data = section.said.encode() + b"\n"
    read(Evidence(source, len(data), lambda: io.BytesIO(data)), sink)
