"""How resources are written: made, changed, deleted, and told to do something."""

from collections.abc import Callable
from typing import Any, Final

from sickbay.lab.admission import refused
from sickbay.lab.answers import Asked, Problem, Reply, not_allowed, not_found
from sickbay.lab.bodies import Body
from sickbay.lab.denial import denied
from sickbay.lab.estate import Estate
from sickbay.lab.machines import grown
from sickbay.lab.manners import is_at_once, manner_of
from sickbay.lab.place import guid, stamp
from sickbay.lab.reading import is_collection
from sickbay.model.ids import arm_type

_GROUPS: Final = "microsoft.resources/resourcegroups"
_POWER: Final = {"start": "Running", "stop": "Stopped"}


def write(estate: Estate, asked: Asked) -> Reply:
    """The answer to a write; what is turned away is noted in the log."""
    if is_collection(asked.id) and asked.method != "POST":
        return not_allowed(asked.method).reply()
    handler = _HANDLERS.get(asked.method)
    if handler is None:
        return not_allowed(asked.method).reply()
    body: Body = asked.body if isinstance(asked.body, dict) else {}
    problem = refused(estate, asked, body) if asked.method != "POST" else None
    if problem is not None:
        correlation = guid("refused", asked.id, stamp(estate.now))
        estate.log.refused(estate.now, asked, problem, correlation)
        return problem.reply()
    return handler(estate, asked, body)


def _put(estate: Estate, asked: Asked, given: Body) -> Reply:
    is_new = asked.id not in estate.store
    id = estate.store.id(asked.id)
    body = estate.whole(id, _owned(given))
    if is_at_once(arm_type(id)):
        estate.store.put(id, body)
        verb = {"operation": "write", "status": "Succeeded"}
        estate.log.add(estate.now, id, verb)
        return Reply(201 if is_new else 200, estate.store.raw(id))
    return _begun(estate, asked, id, body)


def _patch(estate: Estate, asked: Asked, given: Body) -> Reply:
    old = estate.store.get(asked.id)
    if old is None:
        return not_found(asked.id).reply()
    id = estate.store.id(asked.id)
    body = _merged(old, _owned(given))
    if is_at_once(arm_type(id)) or set(given) <= {"tags"}:
        estate.store.put(id, body)
        return Reply(200, estate.store.raw(id))
    return _begun(estate, asked, id, body)


def _begun(estate: Estate, asked: Asked, id: str, body: Body) -> Reply:
    """A write that takes its time: the resource is there at once, in a state in between."""
    manner, is_new = manner_of(arm_type(id)), id not in estate.store
    final = {**body, "properties": {**body.get("properties", {})}}
    final["properties"]["provisioningState"] = "Succeeded"
    final["properties"].pop("status", None) if is_new else None
    state = manner.creating[0] if is_new else manner.updating
    error = denied(estate, id, body)
    operation = estate.operations.begin(
        "create" if is_new else "update", id, lambda: _done(estate, id, final), error
    )
    shown = {**body, "properties": {**body.get("properties", {}), "provisioningState": state}}
    estate.store.put(id, shown)
    patched = asked.method == "PATCH" and manner.is_hub
    headers = estate.operations.links(operation, asked.origin, with_location=patched)
    if patched:
        return Reply(202, b"null", headers)
    return Reply(201 if is_new else 200, estate.store.raw(id), headers)


def _done(estate: Estate, id: str, final: Body) -> None:
    estate.store.put(id, final)
    grown(estate, id)


def _delete(estate: Estate, asked: Asked, given: Body) -> Reply:  # noqa: ARG001
    id = estate.store.id(asked.id)
    body = estate.store.get(id)
    if body is None:
        return Reply(204)
    if is_at_once(arm_type(id)) and arm_type(id).casefold() != _GROUPS:
        estate.store.drop(id)
        return Reply(200, body)
    nodes = str((body.get("properties") or {}).get("nodeResourceGroup", ""))

    def gone() -> None:
        estate.store.drop(id)
        if nodes:
            estate.store.drop(estate.place.id(nodes))

    operation = estate.operations.begin("delete", id, gone, None)
    body.setdefault("properties", {})["provisioningState"] = "Deleting"
    estate.store.put(id, body)
    headers = estate.operations.links(operation, asked.origin, with_location=True)
    if arm_type(id).casefold() == _GROUPS:
        headers.pop("Azure-AsyncOperation")
    is_hub = manner_of(arm_type(id)).is_hub
    return Reply(202, b"null" if is_hub else None, headers)


def _post(estate: Estate, asked: Asked, given: Body) -> Reply:
    """An action on a resource; the few that change what a diagnosis sees."""
    id, _, verb = asked.id.rpartition("/")
    body = estate.store.get(id)
    if body is None:
        return not_found(id).reply()
    changes = _changes(verb.casefold(), given)
    if changes is None:
        message = f"The resource action '{verb}' could not be performed."
        return Problem(400, "InvalidResourceOperation", message).reply()
    locked = refused(estate, asked._replace(path=id, method="PATCH"), {})
    if locked is not None:
        return locked.reply()
    final = _merged(body, {"properties": changes})
    operation = estate.operations.begin(
        f"{verb}/action", id, lambda: estate.store.put(id, final), None
    )
    headers = estate.operations.links(operation, asked.origin, with_location=True)
    return Reply(202, b"null" if operation.manner.is_hub else None, headers)


def _changes(verb: str, given: Body) -> dict[str, Any] | None:
    if verb in _POWER:
        return {"powerState": {"code": _POWER[verb]}, "provisioningState": "Succeeded"}
    if verb == "updateadministrativestate":
        state = str(given.get("state", "Enable"))
        is_on = state == "Enable"
        return {"administrativeState": "Enabled" if is_on else "Disabled"}
    return None


def _owned(given: Body) -> Body:
    """What a client may say of a resource: not its id, name or type, nor a state."""
    kept = {k: v for k, v in given.items() if k not in ("id", "name", "type", "systemData")}
    if isinstance(kept.get("properties"), dict):
        inner = kept["properties"]
        kept["properties"] = {k: v for k, v in inner.items() if k != "provisioningState"}
    return kept


def _merged(old: Body, new: Body) -> Body:
    merged = dict(old)
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = value
    return merged


_HANDLERS: Final[dict[str, Callable[[Estate, Asked, Body], Reply]]] = {
    "PUT": _put,
    "PATCH": _patch,
    "DELETE": _delete,
    "POST": _post,
}
