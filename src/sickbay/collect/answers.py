"""What Azure answers: a body, or why there is none, and what would open it."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sickbay.model.evidence import Gap, Reason
from sickbay.record import NamedTuple

_OK: Final = 400
_FORBIDDEN: Final = (401, 403)
_ABSENT: Final = (404, 410)
_BUSY: Final = 429
_BROKEN: Final = 500
_MOST_TEXT: Final = 300
_REMAINING: Final = "x-ms-ratelimit-remaining-"
_COUNTED: Final = (
    "subscription-global-reads",
    "subscription-reads",
    "subscription-resource-requests",
)
_ACTION: Final = r"perform action '([^']+)' over scope '([^']+)'"
_VERSIONS: Final = r"(?i)supported (?:api-)?versions (?:are|is):? '?([^'\"]+)"
_VERSION: Final = r"\d{4}-\d\d-\d\d(?:-preview)?"
# Signatures that a link of an operation carries; they are keys, and no part of an address.
_SIGNED: Final = r"(?i)([?&])(?:t|c|s|h|sig|se|sp|sv|spr|skoid|sktid)=[^&]*"
_ROLES: Final = {
    "microsoft.authorization/roleassignments": "Reader",
    "microsoft.authorization/locks": "Reader",
    "microsoft.insights": "Monitoring Reader",
    "microsoft.operationalinsights": "Log Analytics Reader",
    "microsoft.containerservice": "Azure Kubernetes Service Contributor Role",
}


class Asked(NamedTuple):
    """One question to Azure."""

    method: str
    url: str

    @property
    def path(self) -> str:
        """The address without its host and without what is signed."""
        rest = re.sub(_SIGNED, r"\1", self.url.partition("://")[2])
        return "/" + rest.partition("/")[2].rstrip("?&")


class Answer(NamedTuple):
    """A body, and what support would ask for."""

    asked: Asked
    raw: bytes
    value: Any
    request_id: str = ""
    correlation_id: str = ""
    remaining: int | None = None

    @property
    def next_link(self) -> str:
        if not isinstance(self.value, dict):
            return ""
        return str(self.value.get("nextLink") or self.value.get("@odata.nextLink") or "")

    @property
    def items(self) -> list[Any]:
        found = self.value.get("value") if isinstance(self.value, dict) else None
        return found if isinstance(found, list) else []


class Failure(NamedTuple):
    """Why there is no body."""

    asked: Asked
    reason: Reason
    says: str
    status: int = 0
    code: str = ""
    versions: tuple[str, ...] = ()
    request_id: str = ""

    @property
    def is_absent(self) -> bool:
        """Azure knows the place and says that nothing is there."""
        return self.status in _ABSENT

    def gap(self) -> Gap:
        """What could not be seen, and the smallest right that would show it."""
        return Gap(self.asked.path, self.says, self.reason, self._to_open(), asked_for=True)

    def _to_open(self) -> str:
        if self.reason is not Reason.FORBIDDEN:
            return f"az rest --method get --url '{self.asked.path}'"
        action, scope = denied(self.says) or ("*/read", self.asked.path.partition("?")[0])
        role = next((r for k, r in _ROLES.items() if action.casefold().startswith(k)), "Reader")
        return f'az role assignment create --role "{role}" --scope {scope} --assignee <you>'


def denied(message: str) -> tuple[str, str] | None:
    """The action and the scope that a refusal names."""
    found = re.search(_ACTION, message)
    return (found[1], found[2]) if found else None


def judged(
    asked: Asked, status: int, headers: Mapping[str, str], content: bytes
) -> Answer | Failure:
    """What a response means."""
    given = {name.casefold(): value for name, value in headers.items()}
    request_id = given.get("x-ms-request-id", "")
    value, is_json = _decoded(content)
    if status < _OK:
        if not is_json:
            return Failure(asked, Reason.MALFORMED, _unreadable(content), status)
        correlation = given.get("x-ms-correlation-request-id", "")
        return Answer(asked, content, value, request_id, correlation, _remaining(given))
    code, message = _error(value)
    says = f"{code}: {message}" if code else f"HTTP {status}"
    reason = _reason(status)
    return Failure(asked, reason, says[:_MOST_TEXT], status, code, _versions(message), request_id)


def _reason(status: int) -> Reason:
    if status in _FORBIDDEN:
        return Reason.FORBIDDEN
    if status in _ABSENT:
        return Reason.NOT_COLLECTED
    if status == _BUSY or status >= _BROKEN:
        return Reason.UNREACHABLE
    return Reason.REFUSED


def _decoded(content: bytes) -> tuple[Any, bool]:
    if not content.strip():
        return None, True
    try:
        return msgspec.json.decode(content), True
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, False


def _error(value: Any) -> tuple[str, str]:
    """Code and message of an error body, wrapped or flat."""
    inner = value.get("error", value) if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return "", ""
    return str(inner.get("code") or ""), str(inner.get("message") or "")


def _versions(message: str) -> tuple[str, ...]:
    """The versions of an API that a refusal lists, the newest first."""
    found = re.search(_VERSIONS, message)
    return tuple(sorted(set(re.findall(_VERSION, found[1])), reverse=True)) if found else ()


def _remaining(headers: Mapping[str, str]) -> int | None:
    left = [headers.get(_REMAINING + name, "") for name in _COUNTED]
    numbers = [int(text) for text in left if text.isdecimal()]
    return min(numbers) if numbers else None


def _unreadable(content: bytes) -> str:
    kind = "a page of HTML" if content.lstrip()[:1] == b"<" else "no JSON"
    return f"the answer is {kind}, or broke off"
