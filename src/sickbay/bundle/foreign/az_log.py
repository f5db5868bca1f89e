"""The log that `az … --debug` prints: every request with its answer, and at last the error.

Only the failure at the end speaks: what was asked again and then worked is no fault. A resource
whose last answer shows that it failed is read as one. Headers of requests are not kept, for they
hold tokens.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sickbay.bundle.foreign.az_debug import LOGGERS, PREFIX
from sickbay.bundle.foreign.exchanges import FIRST_FAILURE, Exchange, take_failure
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame
from sickbay.bundle.messages import has_failed
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin
from sickbay.model.ids import Ref

# Patterns stay as text: most texts are no such log, and compiling costs more than the gate.
_HTTP: Final = rf"{PREFIX}(?:{LOGGERS}) ?[:|] ?(?:DEBUG \| )?(?P<said>.*)"
_ANY: Final = (
    rf"{PREFIX}(?:cli|urllib3|msal|msrest|msrestazure|azure|knack|asyncio|requests|adal"
    r"|az_command_data_logger)(?:\.[\w.]+)? ?[:|] "
)
_CONNECTION: Final = (
    rf"{PREFIX}urllib3\.connectionpool ?: (?P<host>https?://[^\s:]+)(?::\d+)? "
    r"\"(?P<method>[A-Z]+) (?P<path>\S+) HTTP/[\d.]+\" (?P<status>\d{3}) "
)
_FINAL: Final = r"(?m)^(?:ERROR: |az: error: |Deployment failed\.)"
_TOLD: Final = rf"{PREFIX}(?:cli\.azure\.cli\.core\.(?:azclierror|util)) ?: (.+)"
_HEADER: Final = r"\s*'([\w-]+)': '(.*)'\s*$"


def read_log(piece: Piece, sink: Sink) -> None:
    """Read a log: its last failure, or what the command said at its end."""
    text = piece.text()
    found = list(exchanges(text))
    final = _final(text)
    failure = _failure(found, text[final.start() :] if final else "")
    for number, resource in _failed_resources(found):
        sink.arm(resource, Origin(piece.source, f"request {number}"))
    if failure is not None:
        take_failure(
            failure.exchange, Origin(piece.source, f"request {failure.number}"), sink,
            failure.about,
        )  # fmt: skip
    if final and not _is_told(failure, text[final.start() :]):
        line = text.count("\n", 0, final.start()) + 1
        about = failure.about if failure else None
        rest = _own_words(text[final.start() :]).encode()
        sink.log(iter([rest]), Frame(piece.source, about, "error", first_line=line))
    if failure is None and not final and (last := _last_words(text, found)):
        sink.log(iter([last.encode()]), Frame(piece.source, None, "error"))


def _final(text: str) -> re.Match[str] | None:
    """Where the command itself speaks at the end; its loggers begin their lines alike."""
    found = re.finditer(_FINAL, text)
    return next((one for one in found if not re.match(_ANY, text[one.start() :])), None)


def _failed_resources(found: list[Exchange]) -> list[tuple[int, dict[str, Any]]]:
    """The resources of which the last answer that shows them says that they failed."""
    shown: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, exchange in enumerate(found, 1):
        body = exchange.body if exchange.status < FIRST_FAILURE else None
        listed = body.get("value") if isinstance(body, dict) else None
        for one in listed if isinstance(listed, list) else (body,):
            if isinstance(one, dict) and _state(one):
                shown[one["id"].casefold()] = (number, one)
    return [(number, one) for number, one in shown.values() if has_failed(_state(one))]


def _state(value: dict[str, Any]) -> Any:
    """The provisioning state of a resource; nothing for anything else."""
    if not isinstance(value.get("id"), str):
        return None
    properties = value.get("properties")
    return properties.get("provisioningState") if isinstance(properties, dict) else None


class Failure(NamedTuple):
    exchange: Exchange
    number: int
    about: Ref | None


def exchanges(text: str) -> Iterator[Exchange]:
    """The requests of a log with their answers, in their order."""
    building = _Building()
    for line in text.splitlines():
        found = re.match(_HTTP, line)
        if found:
            yield from building.take(found["said"])
        elif connection := re.match(_CONNECTION, line):
            yield from building.connected(connection)
        elif re.match(_ANY, line) or re.match(_FINAL, line):
            yield from building.close()
        else:
            building.go_on(line)
    yield from building.close()


class _Building:
    """An exchange of which more lines may come."""

    def __init__(self) -> None:
        self._start("", "")

    def _start(self, url: str, method: str) -> None:
        self._url, self._method = url, method
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body: list[str] = []
        self._part = ""

    def connected(self, found: re.Match[str]) -> Iterator[Exchange]:
        """What the connection tells: all there is when no other logger speaks of a request."""
        self._status = int(found["status"])
        if not self._url:
            url = found["host"] + found["path"]
            yield Exchange(found["method"], url, self._status, {}, "")

    def take(self, said: str) -> Iterator[Exchange]:
        name, _, value = said.partition(": ")
        value = value.strip().strip("'")
        if name == "Request URL":
            yield from self.close()
            self._start(value, self._method)
        elif name == "Request method":
            self._method = value
        elif name == "Response status":
            self._status = int(value) if value.isdecimal() and len(value) < 4 else 0  # noqa: PLR2004
        elif said.rstrip().endswith(":") and said.startswith(("Request ", "Response ")):
            self._part = said.rstrip().casefold()
        else:
            self.go_on(said)

    def go_on(self, line: str) -> None:
        if self._part == "response headers:" and (found := re.match(_HEADER, line)):
            self._headers[found[1].casefold()] = found[2]
        elif self._part in ("response content:", "response body:"):
            self._body.append(line)

    def close(self) -> Iterator[Exchange]:
        # The connection's own lines come between a request and its answer.
        if self._status and (self._part.startswith("response c") or self._body):
            body = _body("\n".join(self._body))
            yield Exchange(self._method, self._url, self._status, self._headers, body)
            self._start("", "")


def _body(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def _failure(found: list[Exchange], final: str) -> Failure | None:
    """The last failed exchange, unless what came after it went well and the end is silent."""
    about: Ref | None = None
    failure: Failure | None = None
    is_over = False
    for number, exchange in enumerate(found, 1):
        if exchange.method != "GET" and exchange.about:
            about = exchange.about
        if exchange.has_failed:
            failure = Failure(exchange, number, exchange.about or about)
            is_over = False
        else:
            is_over = True
    if failure and is_over and not _is_told(failure, final):
        return None
    return failure


def _is_told(failure: Failure | None, final: str) -> bool:
    """Whether the error at the end is the one of a failed exchange: it names one of its codes."""
    if failure is None:
        return False
    text = json.dumps(failure.exchange.body, default=str)
    codes = set(re.findall(r'\\?"code\\?": ?\\?"(\w{4,100})', text))
    return any(code in final for code in codes)


def _last_words(text: str, found: list[Exchange]) -> str:
    """The client's own error in a log without a last line, or all of one without requests."""
    told = list(_told(text))
    if told or found:
        return "\n".join(told)
    lines = (re.sub(rf"^{_ANY}", "", line) for line in text.splitlines())
    return "\n".join(line for line in lines if not re.match(_HEADER, line))


def _told(text: str) -> Iterator[str]:
    """The client's own errors with all their lines, up to where the next logger speaks."""
    is_told = False
    for line in text.splitlines():
        if found := re.match(_TOLD, line):
            is_told = True
            yield found[1]
        elif re.match(_ANY, line):
            is_told = False
        elif is_told:
            yield line


def _own_words(text: str) -> str:
    """The end of a log without what the loggers wrote into it."""
    return "\n".join(line for line in text.splitlines() if not re.match(_ANY, line))
