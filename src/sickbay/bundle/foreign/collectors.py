"""Files that only the collectors of support bundles write, beside what kubectl and the node print.

AKS Periscope, troubleshoot.sh, the diagnoser of connectedk8s, and the state files of Azure CNI.
"""

import re
from typing import Any, Final

from sickbay.bundle.foreign.ipam import whose
from sickbay.bundle.foreign.ipam_state import is_state, stores_in
from sickbay.bundle.foreign.owner import channel_of
from sickbay.bundle.foreign.piece import HEAD, Piece
from sickbay.bundle.foreign.prose import READER as PROSE
from sickbay.bundle.frame import Frame
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube

_LARGEST: Final = 64 * 1024 * 1024
_LONGEST_LINE: Final = 256 * 1024
# Periscope: a container's last lines inside one object.
_POD_LOG: Final = frozenset({"name", "containerName", "containerLog"})
_ALARMING: Final = frozenset({"error", "warn", "warning", "fail"})
_PROBE: Final = r'\s*\{"TimeStamp":"[^"]{1,40}","Type":"[^"]{1,80}","URL":"'
# It tries the internet, registries on port 80 and the tunnel too: none is needed.
_NEEDED_PORT: Final = ":443"
_LISTS: Final = r"(?:^|/)cluster-resources/(?P<word>[a-z-]+)(?:/[^/]+)?\.json$"


class Collectors:
    def matches(self, piece: Piece) -> bool:
        start = piece.head.lstrip()[:1]
        if start not in ("{", "[") or piece.size is None or piece.size > _LARGEST:
            return False
        head = piece.head
        if start == "{":
            is_log = '"containerLog"' in head or ('"containerName"' in head and len(head) >= HEAD)
            return is_log or _is_python(head) or is_state(head) or _is_probe(head)
        return _is_analysis(head) or bool(_kind_by_path(piece.source))

    def read(self, piece: Piece, sink: Sink) -> None:
        if _is_python(piece.head):
            _read_python(piece, sink)
            return
        if _is_probe(piece.head):
            _read_probes(piece, sink)
            return
        value = _json(piece.text())
        if not _take(value, piece, sink):
            _read_other(piece, sink)


READER = Collectors()


def _is_python(head: str) -> bool:
    """Whether a text is a dictionary as Python prints it, which is no JSON."""
    return re.match(r"\s*\{'[A-Za-z_]+': ", head) is not None


def _is_probe(head: str) -> bool:
    """Whether Periscope wrote down, one a line, how it got on with an endpoint."""
    return re.match(_PROBE, head) is not None


def _read_probes(piece: Piece, sink: Sink) -> None:
    """Hear which endpoints that nodes need were not reached; others may be closed on purpose."""
    for at, line in enumerate(piece.text().split("\n"), 1):
        value = _json(line)
        told = value if isinstance(value, dict) else {}
        status, url = str(told.get("Status", "")), str(told.get("URL", ""))
        if status.startswith("Error") and url.endswith(_NEEDED_PORT):
            said = f"connect to {url.removesuffix(_NEEDED_PORT)} 443 failed: {status[7:]}"
            origin = Origin(piece.source, f"line {at}")
            sink.text(Text(said, origin, None, "probe", str(told.get("TimeStamp", ""))))


def _is_analysis(head: str) -> bool:
    return '"insight"' in head and '"severity"' in head


def _kind_by_path(source: str) -> str:
    found = re.search(_LISTS, source)
    if not found:
        return ""
    from sickbay.bundle.foreign.kubectl_columns import kind_called  # noqa: PLC0415 - few have any

    return kind_called(found["word"])


def _json(text: str) -> Any:
    import json  # noqa: PLC0415 - only these files need it

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _take(value: Any, piece: Piece, sink: Sink) -> bool:
    """Take a document of a collector; say whether it was one."""
    if isinstance(value, dict) and value.keys() >= _POD_LOG:
        _take_log(value, piece.source, sink)
        return True
    if isinstance(value, dict):
        stores = list(stores_in(value, *whose(piece)))
        for store in stores:
            sink.entity(store, Origin(piece.source, "$"))
        return bool(stores)
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return _take_list(value, piece.source, sink)
    return False


def _take_log(value: dict[str, Any], source: str, sink: Sink) -> None:
    from sickbay.bundle.foreign.kubectl_columns import UNTOLD_NAMESPACE  # noqa: PLC0415

    about = kube("Pod", UNTOLD_NAMESPACE, str(value["name"]))
    channel = channel_of(f"{value['name']}/{value['containerName']}")
    blocks = iter([str(value["containerLog"]).encode("utf-8", "replace")])
    sink.log(blocks, Frame(source, about, channel))


def _take_list(values: list[dict[str, Any]], source: str, sink: Sink) -> bool:
    if all("insight" in value or "severity" in value for value in values):
        for at, value in enumerate(values):
            _take_insight(value, Origin(source, f"$[{at}]"), sink)
        return True
    kind = _kind_by_path(source)
    if not kind or not all("metadata" in value for value in values):
        return False
    for at, value in enumerate(values):
        sink.kube({"apiVersion": "v1", "kind": kind, **value}, Origin(source, f"$[{at}]"))
    return True


def _take_insight(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    insight = value.get("insight")
    told = insight if isinstance(insight, dict) else value
    severity = str(value.get("severity") or told.get("severity") or "").casefold()
    words = [str(told.get(key)) for key in ("primary", "detail") if told.get(key)]
    if severity in _ALARMING and words:
        sink.text(Text(": ".join(words), origin, None, "analysis"))


def _read_python(piece: Piece, sink: Sink) -> None:
    """Read what the diagnoser of connectedk8s wrote: one dictionary, or one a line."""
    text = piece.text()
    values = (
        [_literal(text)] if "\n{'" not in text else [_literal(x) for x in text.split("\n") if x]
    )
    taken = 0
    for at, value in enumerate(values, 1):
        origin = Origin(piece.source, f"line {at}")
        if isinstance(value, dict) and "kind" in value and "metadata" in value:
            sink.kube(value, origin)
            taken += 1
        elif isinstance(value, dict) and str(value.get("id", "")).startswith("/subscriptions/"):
            sink.arm({_camel(key): member for key, member in value.items()}, origin)
            taken += 1
    if taken < len(values):
        PROSE.read(piece, sink)


def _literal(text: str) -> Any:
    import ast  # noqa: PLC0415 - only these files need it

    if len(text) > _LONGEST_LINE:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _camel(key: Any) -> str:
    first, *rest = str(key).split("_")
    return first + "".join(word.capitalize() for word in rest)


def _read_other(piece: Piece, sink: Sink) -> None:
    from sickbay.bundle.foreign.structured import READER as STRUCTURED  # noqa: PLC0415

    (STRUCTURED if STRUCTURED.matches(piece) else PROSE).read(piece, sink)
