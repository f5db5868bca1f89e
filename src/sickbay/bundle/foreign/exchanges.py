"""Requests to Azure with their answers, as recorders and `az --debug` keep them."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from sickbay.bundle.foreign.attempts import attempt_of
from sickbay.bundle.foreign.operations import is_operation, named_in, take_operation
from sickbay.bundle.messages import as_text, has_failed
from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, arm

FIRST_FAILURE: Final = 400
NOT_FOUND: Final = 404
_PROBES: Final = frozenset({"GET", "HEAD", "DELETE"})
_METHODS: Final = frozenset({"GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"})
_PATH: Final = r"(?i)(?:https?://[^/\s]+)?(/subscriptions/[^?\s'\"]+)"
# What a polling link is signed with stays out: only the path is kept.
_LINKS: Final = ("azure-asyncoperation", "location")
_IDS: Final = (
    ("correlation id", "x-ms-correlation-request-id"),
    ("request id", "x-ms-request-id"),
)


class Exchange(NamedTuple):
    """A request and its answer; `headers` are those of the answer, their names in lower case."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def has_failed(self) -> bool:
        """Whether the answer is an error, or reports an operation that ended without success."""
        if self.status >= FIRST_FAILURE:
            return True
        return isinstance(self.body, dict) and is_operation(self.body) and _is_lost(self.body)

    @property
    def is_probe(self) -> bool:
        """Whether it only asked for something, or asked it away, and that is not there."""
        return self.status == NOT_FOUND and self.method.upper() in _PROBES

    @property
    def about(self) -> Ref | None:
        """The resource that the request was about; a location or a poll names none."""
        found = re.match(_PATH, self.url)
        if not found or "/locations/" in found[1].casefold():
            return None
        return arm(_resource_path(found[1].rstrip("/")))

    @property
    def ids(self) -> str:
        """What a support engineer asks for."""
        known = [f"{name} {self.headers[key]}" for name, key in _IDS if self.headers.get(key)]
        polled = next((self.headers[key] for key in _LINKS if self.headers.get(key)), "")
        found = re.match(_PATH, polled) or re.match(_PATH, self.url)
        if found and "/locations/" in found[1].casefold():
            known.append(f"operation {found[1]}")
        return ", ".join(known)


def is_exchange(value: dict[str, Any]) -> bool:
    """Whether a value is a recorded request with its response, nested or in one level."""
    request, response = _sides(value)
    if not isinstance(request, dict) or not isinstance(response, dict):
        return False
    is_flat = request is response
    if is_flat and str(request.get("method")).upper() not in _METHODS:
        return False
    return isinstance(request.get("url"), str) and _status(response) != ""


def exchange_of(value: dict[str, Any]) -> Exchange:
    """A recorded exchange, whatever is wrong with its members."""
    request, response = _sides(value)
    headers = response.get("headers")
    pairs = headers.items() if isinstance(headers, dict) else ()
    status = _status(response)
    return Exchange(
        str(request.get("method") or ""),
        str(request.get("url") or ""),
        int(status) if len(status) < 4 else 0,  # noqa: PLR2004
        {str(key).casefold(): str(member) for key, member in pairs},
        _decoded(response.get("body")),
    )


def _sides(value: dict[str, Any]) -> tuple[Any, Any]:
    """Request and response; a flat record is both."""
    if "request" in value or "response" in value:
        return value.get("request"), value.get("response")
    return value, value


def _status(response: dict[str, Any]) -> str:
    """The digits of the status, which may have its name behind it; empty when there are none."""
    for key in ("statusCode", "status", "code"):
        word = str(response.get(key) or "").partition(" ")[0]
        if word.isdecimal():
            return word
    return ""


def _decoded(body: Any) -> Any:
    """A body; recorders keep it as the text that it was."""
    if not isinstance(body, str) or body.lstrip()[:1] not in ("{", "["):
        return body
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body


def take_exchange(
    exchange: Exchange, origin: Origin, sink: Sink, take_body: Callable[[Any, str], None]
) -> None:
    """Take an answer: an error is a text about what was asked for, anything else a document."""
    place = f"{origin.locator}.response.body"
    attempt = attempt_of(exchange, origin)
    if attempt:
        sink.entity(attempt, origin)
    if exchange.is_probe:
        return
    if exchange.has_failed:
        take_failure(exchange, Origin(origin.source, place), sink, exchange.about)
    elif isinstance(exchange.body, dict | list):
        take_body(exchange.body, place)


def take_failure(exchange: Exchange, origin: Origin, sink: Sink, about: Ref | None) -> None:
    """Take a failed answer, with the ids that tell it from all others."""
    ids = exchange.ids
    where = Origin(origin.source, f"{origin.locator} ({ids})" if ids else origin.locator)
    body = exchange.body
    if isinstance(body, dict) and is_operation(body):
        take_operation(body, where, sink, about)
        return
    text = as_text(body) if body else f"HTTP {exchange.status}"
    sink.text(Text(text, where, about or named_in(text), "error"))


def _is_lost(body: dict[str, Any]) -> bool:
    return has_failed(body["status"])


def _resource_path(path: str) -> str:
    """The path of a resource: what follows a name without one of its own is an action or a list."""
    at = path.casefold().rfind("/providers/")
    if at < 0:
        return path
    names = path[at:].split("/")[3:]
    return path.rpartition("/")[0] if len(names) % 2 and len(names) > 1 else path
