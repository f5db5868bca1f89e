"""Long operations: what is under way, what its link answers, and what is true when it is over."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sickbay.lab.answers import Asked, Problem, Reply, not_found
from sickbay.lab.bodies import Body
from sickbay.lab.manners import Manner, failed, manner_of, seconds_of
from sickbay.lab.place import guid, stamp
from sickbay.model.ids import arm_type
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.lab.estate import Estate

_HASH: Final = "687461DAF287FFC3864957F2893F67D1E48BAB78DEE1B570CB06F5105A61C224"


class Operation(NamedTuple):
    """Work that takes time; what it does to the estate happens when it ends."""

    name: str
    verb: str
    resource: str
    start: datetime
    end: datetime
    error: Mapping[str, Any] | None = None
    state: str = "Succeeded"
    finish: Callable[[], None] = lambda: None

    @property
    def manner(self) -> Manner:
        return manner_of(arm_type(self.resource))

    def status(self, now: datetime) -> str:
        if now >= self.end:
            return self.state
        if self.verb == "delete":
            return "Deleting" if self.manner.is_hub else "InProgress"
        words = self.manner.running
        share = (now - self.start) / (self.end - self.start) if self.end > self.start else 0
        return words[min(int(share * len(words)), len(words) - 1)]


class Operations:
    """The operations of an estate, by name."""

    def __init__(self, estate: "Estate") -> None:
        self._estate = estate
        self._known: dict[str, Operation] = {}
        self._open: list[Operation] = []

    def begin(
        self, verb: str, id: str, finish: Callable[[], None], error: Mapping[str, Any] | None
    ) -> Operation:
        """Start some work; with an error it fails in the end."""
        estate = self._estate
        manner = manner_of(arm_type(id))
        name = guid("operation", id, verb, stamp(estate.now), str(len(self._known)))
        work = timedelta(seconds=seconds_of(arm_type(id)) / estate.speed)
        operation = Operation(
            f"{name}*{_HASH}" if manner.is_hub else name,
            verb,
            id,
            estate.now,
            estate.now + work,
            error,
            "Failed" if error else "Succeeded",
            finish,
        )
        self._known[operation.name.casefold()] = operation
        self._open.append(operation)
        word = "Started" if not manner.is_hub else "Accepted"
        self._note(operation, estate.now, word)
        return operation

    def settle(self, now: datetime) -> None:
        """End what should have ended by now, in the order of the ends."""
        over = sorted((one for one in self._open if one.end <= now), key=lambda one: one.end)
        self._open = [one for one in self._open if one.end > now]
        for operation in over:
            self._finish(operation)

    def is_busy(self, id: str) -> bool:
        """Whether work on a resource is under way."""
        return any(one.resource.casefold() == id.casefold() for one in self._open)

    def under_way(self, type: str) -> list[str]:
        """The resources of a type that are being made."""
        made = [one.resource for one in self._open if one.verb == "create"]
        return [id for id in made if arm_type(id).casefold() == type.casefold()]

    def links(self, operation: Operation, origin: str, *, with_location: bool) -> dict[str, str]:
        """The headers by which a client follows an operation."""
        manner, place = operation.manner, self._estate.place
        namespace = arm_type(operation.resource).partition("/")[0]
        base = f"{origin}/subscriptions/{place.subscription}/providers/{namespace}/locations/"
        location = place.location.upper() if manner.is_hub else place.location
        signed = "api-version=2016-03-30&t=1&c=lab&s=lab&h=lab"
        link = f"{base}{location}/{manner.segment}/{operation.name}?{signed}"
        headers = {"Azure-AsyncOperation": link}
        if with_location:
            results = "operationStatuses" if manner.is_hub else "operationresults"
            headers["Location"] = f"{base}{location}/{results}/{operation.name}?{signed}"
        if manner.pace:
            headers["Retry-After"] = str(max(1, round(manner.pace / self._estate.speed)))
        return headers

    def answer(self, asked: Asked) -> Reply:
        """What the link of an operation says now."""
        operation = self._known.get(asked.key.rpartition("/")[2])
        if operation is None:
            return not_found(asked.id).reply()
        now = self._estate.now
        if "/operationresults/" in asked.key:
            return self._result(operation, asked)
        status = operation.status(now)
        body: Body = {"name": operation.name, "status": status, "startTime": stamp(operation.start)}
        if operation.manner.is_hub:
            body = {"id": asked.id, **body, "resourceId": operation.resource}
        if now < operation.end:
            is_going = operation.manner.is_hub and operation.verb == "delete"
            return Reply(202 if is_going else 200, body, self._pace(operation))
        body["endTime"] = stamp(operation.end)
        if operation.error:
            body["error"] = operation.error
        return Reply(200, body)

    def latest(self, id: str) -> Reply:
        """The last operation on a resource, as the service of AKS tells it."""
        found = [one for one in self._known.values() if one.resource.casefold() == id.casefold()]
        if not found:
            return Problem(404, "NotFound", "No operation was found.", is_flat=True).reply()
        last, now = found[-1], self._estate.now
        body: Body = {"id": f"{id}/operations/{last.name}", "name": last.name}
        body |= {"status": last.status(now), "startTime": stamp(last.start)}
        return Reply(200, body | ({"endTime": stamp(last.end)} if now >= last.end else {}))

    def _result(self, operation: Operation, asked: Asked) -> Reply:
        if self._estate.now < operation.end:
            headers = self.links(operation, asked.origin, with_location=True)
            return Reply(202, None, {"Location": headers["Location"], **self._pace(operation)})
        if operation.error:
            return Reply(409, {"error": operation.error})
        raw = self._estate.store.raw(operation.resource)
        return Reply(204) if raw is None else Reply(200, raw)

    def _pace(self, operation: Operation) -> dict[str, str]:
        pace = operation.manner.pace
        return {"Retry-After": str(max(1, round(pace / self._estate.speed)))} if pace else {}

    def _finish(self, operation: Operation) -> None:
        store = self._estate.store
        body = store.get(operation.resource)
        if operation.error and body is not None:
            store.put(operation.resource, failed(body, operation.error))
        elif not operation.error:
            operation.finish()
        self._note(operation, operation.end, operation.state)

    def _note(self, operation: Operation, at: datetime, status: str) -> None:
        verbs = {"create": "write", "update": "write", "delete": "delete"}
        event = {
            "operation": verbs.get(operation.verb, operation.verb),
            "status": status,
            "correlation": operation.name,
            "error": operation.error if status == "Failed" else None,
        }
        self._estate.log.add(at, operation.resource, event)
