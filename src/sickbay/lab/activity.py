"""The activity log: what was done, by whom, and how it ended; it appears late, as in Azure."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sickbay.lab.answers import Asked, Problem, Reply
from sickbay.lab.bodies import Body
from sickbay.lab.place import Place, guid, span, stamp
from sickbay.model.ids import arm, arm_type

_DAYS: Final = 90
_PAGE: Final = 200
_BOUND: Final = r"eventTimestamp (ge|le) '?([^' ]+)'?"
_WORD: Final = (
    r"(resourceGroupName|resourceUri|resourceProvider|correlationId|resourceId) eq '?([^']+)'?"
)
_REASONS: Final = {
    400: "BadRequest",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    429: "TooManyRequests",
}


class Log:
    """Events, newest first; each can be read only some minutes after it happened."""

    def __init__(self, place: Place, lag: timedelta) -> None:
        self._place = place
        self._lag = lag
        self._events: list[tuple[datetime, Body]] = []

    def tell(self, given: Mapping[str, Any]) -> None:
        """Note an event of a world: `ago`, `of`, `operation`, `status`, `error`, `correlation`."""
        at = self._place.start - span(str(given.get("ago", "1h")))
        self.add(at, str(given["of"]), given)

    def add(self, at: datetime, id: str, given: Mapping[str, Any]) -> None:
        """Note an event."""
        event = _event(self._place, at, id, given)
        self._events.append((at, event))
        self._events.sort(key=lambda one: one[0], reverse=True)

    def refused(self, at: datetime, asked: Asked, problem: Problem, correlation: str) -> None:
        """Note a request that was turned away."""
        verb = "delete" if asked.method == "DELETE" else "write"
        code = _REASONS.get(problem.status, "BadRequest")
        given = {"operation": verb, "status": "Failed", "code": code, "correlation": correlation}
        self.add(at, asked.id, {**given, "error": problem.error, "is_bare": True})

    def answer(self, asked: Asked, now: datetime) -> Reply:
        """What a filter finds; without one, or beyond ninety days, the recorded refusals."""
        filter = asked.query.get("$filter", "")
        bounds = {word: _moment(text) for word, text in re.findall(_BOUND, filter)}
        start = bounds.get("ge")
        if start is None:
            return _refused("The $filter must have a start time: eventTimestamp ge '...'.")
        if start < now - timedelta(days=_DAYS):
            return _refused("The start time cannot be more than 90 days in the past.")
        end = bounds.get("le") or now
        words = {word.casefold(): text.casefold() for word, text in re.findall(_WORD, filter)}
        found = [
            event
            for at, event in self._events
            if start <= at <= end and at + self._lag <= now and _fits(event, words)
        ]
        return Reply(200, _page(found, asked))


def _refused(message: str) -> Reply:
    return Reply(400, {"code": "BadRequest", "message": message})


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text.replace("%3A", ":").replace(" ", "+"))
    except ValueError:
        return datetime(1, 1, 1, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _fits(event: Body, words: Mapping[str, str]) -> bool:
    known = {
        "resourcegroupname": event["resourceGroupName"],
        "resourceuri": event["resourceId"],
        "resourceid": event["resourceId"],
        "resourceprovider": event["resourceProviderName"]["value"],
        "correlationid": event["correlationId"],
    }
    return all(str(known[word]).casefold() == wanted for word, wanted in words.items())


def _page(found: list[Body], asked: Asked) -> Body:
    start = int(asked.query.get("$skiptoken", "0"))
    chosen = [name.strip() for name in asked.query.get("$select", "").split(",") if name.strip()]
    # What is left out of a selection comes back as null, and a client must bear it.
    events = [
        {key: one.get(key) for key in (*chosen, "id")} if chosen else one
        for one in found[start : start + _PAGE]
    ]
    body: Body = {"value": events}
    if start + _PAGE < len(found):
        body["nextLink"] = f"{asked.origin}{asked.path}?api-version=2015-04-01&$skiptoken="
        body["nextLink"] += str(start + _PAGE) + f"&$filter={asked.query.get('$filter', '')}"
    return body


def _event(place: Place, at: datetime, id: str, given: Mapping[str, Any]) -> Body:
    ref, type = arm(id), arm_type(id)
    operation = str(given.get("operation", "write"))
    action = operation if "/" in operation else f"{type}/{operation}"
    status = str(given.get("status", "Succeeded"))
    correlation = guid("correlation", str(given.get("correlation", f"{id} {at - place.start}")))
    data = guid("event", id, action, status, str(at - place.start))
    ticks = int((at - datetime(1, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
    return {
        "authorization": {"action": action, "scope": id},
        "caller": given.get("caller", "operator@contoso.com"),
        "channels": "Operation",
        "claims": {},
        "correlationId": correlation,
        "description": "",
        "eventDataId": data,
        "eventName": _both(str(given.get("event", _event_name(status)))),
        "category": _both(str(given.get("category", "Administrative"))),
        "httpRequest": {"clientRequestId": guid(correlation), "method": "PUT"},
        "id": f"{id}/events/{data}/ticks/{ticks}",
        "level": given.get("level", "Error" if status == "Failed" else "Informational"),
        "resourceGroupName": ref.group,
        "resourceProviderName": _both(type.partition("/")[0]),
        "resourceId": id,
        "resourceType": _both(type),
        "operationId": correlation,
        "operationName": _both(action),
        "properties": _properties(id, action, given),
        "status": _both(status),
        "subStatus": _both(str(given.get("substatus", ""))),
        "eventTimestamp": stamp(at),
        "submissionTimestamp": stamp(at + timedelta(minutes=2)),
        "subscriptionId": place.subscription,
        "tenantId": place.tenant,
    }


def _event_name(status: str) -> str:
    return "BeginRequest" if status in ("Started", "Accepted") else "EndRequest"


def _properties(id: str, action: str, given: Mapping[str, Any]) -> dict[str, str]:
    error = given.get("error")
    found = {"eventCategory": str(given.get("category", "Administrative")), "entity": id}
    found |= {"message": action, "hierarchy": arm(id).subscription}
    if error is not None:
        said = {"error": error} if given.get("is_bare") else _wrapped(error)
        found["statusCode"] = str(given.get("code", "Conflict"))
        found["statusMessage"] = json.dumps(said, separators=(",", ":"))
    return found | {str(k): str(v) for k, v in (given.get("properties") or {}).items()}


def _wrapped(error: Mapping[str, Any]) -> Body:
    """The end of a long operation: what went wrong stands one level down."""
    message = "The resource operation completed with terminal provisioning state 'Failed'."
    outer = {"code": "ResourceOperationFailure", "message": message, "details": [error]}
    return {"status": "Failed", "error": outer}


def _both(value: str) -> dict[str, str]:
    return {"value": value, "localizedValue": value}
