"""What Azure answers: a body, or why there is none, and what would open it."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sickbay.model.evidence import Gap, Reason
from sickbay.model.ids import arm_type
from sickbay.record import NamedTuple

_OK: Final = 400
_UNKNOWN_CALLER: Final = 401
_FORBIDDEN: Final = (401, 403)
_ABSENT: Final = (404, 410)
_TOO_SLOW: Final = 408
_BUSY: Final = 429
_BROKEN: Final = 500
_MOST_TEXT: Final = 300
_COUNTED: Final = tuple(
    f"x-ms-ratelimit-remaining-{name}"
    for name in (
        "subscription-global-reads",
        "subscription-reads",
        "subscription-resource-requests",
        "tenant-reads",
    )
)
_ACTION: Final = r"perform action '([^']+)' over scope '([^']+)'"
_VERSIONS: Final = r"(?i)supported (?:api-)?versions (?:are|is):? '?([^'\"]+)"
_VERSION: Final = r"\d{4}-\d\d-\d\d(?:-preview)?"
_AGAIN_AFTER: Final = r"(?i)(?:try again|retry) (?:after|in) '?(\d{1,4})'? ?s"
# Signatures that a link of an operation carries; they are keys, and no part of an address.
_SIGNED: Final = r"(?i)([?&])(?:t|c|s|h|sig|se|sp|sv|spr|skoid|sktid)=[^&\s'\"<>]*"
_MACHINES: Final = "Virtual Machine Contributor"
# What reads is in Reader; the few actions that read by another name are not.
_ROLES: Final = {
    "microsoft.operationalinsights/workspaces/query": "Log Analytics Reader",
    "microsoft.policyinsights/policystates/queryresults/action": "Resource Policy Contributor",
    # Nothing smaller holds it.
    "microsoft.compute/virtualmachinescalesets/virtualmachines/retrieveboot": _MACHINES,
    "microsoft.compute/virtualmachines/retrieveboot": _MACHINES,
}
# Azure says "too many requests" of three things; the code tells which.
_BUSY_WITH: Final = {
    "retryableerror": "something that it depends on is still being changed",
    "referencedresourcenotprovisioned": "something that it depends on is still being changed",
    "failedidentityoperation": "Microsoft Entra has too many requests",
}


class Asked(NamedTuple):
    """One question to Azure."""

    method: str
    url: str

    @property
    def path(self) -> str:
        """The address without its host and without what is signed."""
        rest = unsigned(self.url.partition("://")[2])
        return "/" + rest.partition("/")[2].rstrip("?&")

    @property
    def target(self) -> str:
        """The address without its host, as it was written: it may be signed."""
        return "/" + self.url.partition("://")[2].partition("/")[2]

    @property
    def place(self) -> str:
        """The address without what was asked of it."""
        return "/" + self.url.partition("://")[2].partition("?")[0].partition("/")[2]


class Answer(NamedTuple):
    """A body, and what support would ask for."""

    asked: Asked
    raw: bytes
    value: Any
    request_id: str = ""
    correlation_id: str = ""
    remaining: int | None = None
    status: int = 200
    # Where the result of something that was only accepted will be.
    location: str = ""

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
    correlation_id: str = ""
    # How long the server wants to be left alone, where it says so.
    wait: float | None = None

    @property
    def is_absent(self) -> bool:
        """Azure knows the place and says that nothing is there."""
        is_told = self.code.casefold().endswith("notfound") or self.code == "empty"
        return self.status in _ABSENT and is_told

    def gap(self, name: str = "") -> Gap:
        """What could not be seen, and the smallest right that would show it."""
        what = f"{self.says}{self._ids}"
        return Gap(name or self.asked.place, what, self.reason, self._to_open(), asked_for=True)

    @property
    def _ids(self) -> str:
        """What support asks for, when the fault is on its side."""
        ids = (("request id", self.request_id), ("correlation id", self.correlation_id))
        told = ", ".join(f"{word} {id}" for word, id in ids if id)
        return f" ({told})" if told and self.status >= _BROKEN else ""

    def _to_open(self) -> str:
        place = self.asked.place
        if self.status == _UNKNOWN_CALLER:
            return "az login"
        if self.reason is not Reason.FORBIDDEN:
            return f"az rest --method {self.asked.method.lower()} --url '{place}'"
        return granting(*(denied(self.says) or (f"{_type_at(place)}/read", place)))


def document_in(answer: Answer | Failure) -> Answer | Failure:
    """An answer that is a resource, or a failure: nothing at all is no resource."""
    if isinstance(answer, Failure) or (isinstance(answer.value, dict) and answer.value.get("id")):
        return answer
    return Failure(answer.asked, Reason.MALFORMED, "the answer is no resource")


def list_in(answer: Answer | Failure) -> Answer | Failure:
    """An answer that is a page of a list, or a failure: what has no list is no empty one."""
    value = answer.value if isinstance(answer, Answer) else None
    if isinstance(answer, Failure) or (
        isinstance(value, dict) and isinstance(value.get("value"), list)
    ):
        return answer
    return Failure(answer.asked, Reason.MALFORMED, "the answer holds no list")


def unsigned(text: str) -> str:
    """A text without what the links in it are signed with."""
    return re.sub(_SIGNED, r"\1", text)


def denied(message: str) -> tuple[str, str] | None:
    """The action and the scope that a refusal names."""
    found = re.search(_ACTION, message)
    return (found[1], found[2]) if found else None


def granting(action: str, scope: str) -> str:
    """The command that gives whoever asks the smallest built-in role with an action."""
    return (
        f'az role assignment create --role "{role_for(action)}" --scope {scope} '
        f"--assignee <you>  # grants {action}"
    )


def role_for(action: str) -> str:
    """The smallest built-in role that grants an action that reads."""
    lowered = action.casefold()
    return next((role for start, role in _ROLES.items() if lowered.startswith(start)), "Reader")


def judged(
    asked: Asked, status: int, headers: Mapping[str, str], content: bytes
) -> Answer | Failure:
    """What a response means; its headers are found without regard to case."""
    ids = headers.get("x-ms-request-id", ""), headers.get("x-ms-correlation-request-id", "")
    value, is_json = _decoded(content)
    if status < _OK and is_json:
        where = headers.get("location", "")
        return Answer(asked, content, value, *ids, _remaining(headers), status, where)
    if status < _OK:
        return Failure(asked, Reason.MALFORMED, _unreadable(content), status, "", (), *ids)
    code, message = _error(value)
    says = f"{code}: {message}" if code else f"HTTP {status}"
    if status == _BUSY:
        says = f"{_BUSY_WITH.get(code.casefold(), 'Azure has too many requests')} ({says})"
    return Failure(
        asked,
        _reason(status),
        says[:_MOST_TEXT],
        status,
        code or ("" if content.strip() else "empty"),
        _versions(message),
        *ids,
        _wait(headers, message),
    )


def _reason(status: int) -> Reason:
    if status in _FORBIDDEN:
        return Reason.FORBIDDEN
    if status in _ABSENT:
        return Reason.NOT_COLLECTED
    if status in (_TOO_SLOW, _BUSY) or status >= _BROKEN:
        return Reason.UNREACHABLE
    return Reason.REFUSED


def _decoded(content: bytes) -> tuple[Any, bool]:
    if not content.strip():
        return None, True
    try:
        return msgspec.json.decode(content), True
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, False


def _error(value: Any) -> tuple[str, str]:
    """Code and message of an error body, wrapped or flat."""
    inner = value.get("error", value) if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return "", ""
    return str(inner.get("code") or ""), str(inner.get("message") or "")


def _versions(message: str) -> tuple[str, ...]:
    """The versions of an API that a refusal lists: the newest first, previews behind the others."""
    found = re.search(_VERSIONS, message)
    listed = sorted(set(re.findall(_VERSION, found[1])), reverse=True) if found else []
    return tuple(sorted(listed, key=lambda one: one.endswith("-preview")))


def _wait(headers: Mapping[str, str], message: str) -> float | None:
    """How many seconds the server asks for, in a header or in words."""
    for name, unit in (("retry-after-ms", 1000), ("x-ms-retry-after-ms", 1000), ("retry-after", 1)):
        told = headers.get(name, "").strip()
        if told.isdecimal() and len(told) < 8:  # noqa: PLR2004 - a week of milliseconds
            return int(told) / unit
    found = re.search(_AGAIN_AFTER, message)
    return float(found[1]) if found else None


def _remaining(headers: Mapping[str, str]) -> int | None:
    left = [headers.get(name, "") for name in _COUNTED]
    numbers = [int(text) for text in left if text.isdecimal()]
    return min(numbers) if numbers else None


def _type_at(place: str) -> str:
    """The type that a path is about; a path without a name at its end is a list."""
    names = place.rpartition("/providers/")[2].strip("/").count("/")
    return arm_type(place if names % 2 == 0 else f"{place}/x")


def _unreadable(content: bytes) -> str:
    kind = "a page of HTML" if content.lstrip()[:1] == b"<" else "no JSON"
    return f"the answer is {kind}, or broke off"
