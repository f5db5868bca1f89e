"""How resources are read: one by one, and in lists that come in pages."""

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

import msgspec

from sickbay.lab.answers import Asked, Problem, Reply, group_not_found, not_found
from sickbay.lab.estate import Estate
from sickbay.model.ids import arm, arm_type

_PAGE: Final = 120
_VIEW: Final = "instanceview"
_SCALE_SETS: Final = "microsoft.compute/virtualmachinescalesets"
# Lists that also show what is written above or below the scope that is asked.
_INHERITED: Final = frozenset(
    f"microsoft.authorization/{name}"
    for name in "locks roleassignments policyassignments policyexemptions denyassignments".split()
)
# What a list of everything tells of each.
_BRIEF: Final = "id name type location tags kind sku identity managedBy zones".split()
Raw = dict[str, msgspec.Raw]


def read(estate: Estate, asked: Asked) -> Reply:
    """A resource, or the list at a path."""
    raw = estate.store.raw(asked.id)
    if raw is not None:
        return Reply(200, expanded(estate, asked.id, raw) if _wants_view(asked) else raw)
    problem = _above(estate, asked)
    if problem is not None:
        return problem.reply()
    if asked.key.endswith(f"/{_VIEW}") and arm_type(asked.id).casefold().startswith(_SCALE_SETS):
        return _summary(estate, asked.id.rpartition("/")[0])
    if not is_collection(asked.id):
        return not_found(asked.id).reply()
    return page(estate, asked, _listed(estate, asked))


def is_collection(id: str) -> bool:
    """Whether a path names a list: `…/providers/Microsoft.Network/virtualNetworks`."""
    tail = id[id.casefold().rfind("/providers/") + len("/providers/") :]
    return "/providers/" in id.casefold() and len(tail.split("/")) % 2 == 0


def page(estate: Estate, asked: Asked, ids: Iterable[str], *, is_brief: bool = False) -> Reply:
    """One page of a list, with the link to the next; a page may be empty and still have one."""
    size = int(estate.world.pages.get("size") or _PAGE)
    leaves_empty = bool(estate.world.pages.get("empty"))
    token = asked.query.get("$skiptoken", "")
    known = list(ids)
    if leaves_empty and known and not token.isdecimal():
        return Reply(200, _joined([], _link(asked, token.removeprefix("after-") or "0")))
    start = int(token or 0)
    chosen = known[start : start + size]
    bodies = [estate.store.raw(id) or b"{}" for id in chosen]
    if _wants_view(asked):
        bodies = [expanded(estate, id, raw) for id, raw in zip(chosen, bodies, strict=True)]
    if is_brief:
        bodies = [_brief(raw) for raw in bodies]
    following = f"after-{start + size}" if leaves_empty else str(start + size)
    link = _link(asked, following) if start + size < len(known) else ""
    return Reply(200, _joined(bodies, link))


def expanded(estate: Estate, id: str, raw: bytes) -> bytes:
    """A machine with its view in it, without decoding more than the two outer levels."""
    view = estate.store.raw(f"{id}/{_VIEW}")
    if view is None:
        return raw
    body = msgspec.json.decode(raw, type=Raw)
    inner = msgspec.json.decode(body["properties"], type=Raw) if "properties" in body else {}
    inner["instanceView"] = msgspec.Raw(view)
    body["properties"] = msgspec.Raw(msgspec.json.encode(inner))
    return msgspec.json.encode(body)


def _brief(raw: bytes) -> bytes:
    body = msgspec.json.decode(raw, type=Raw)
    return msgspec.json.encode({key: value for key, value in body.items() if key in _BRIEF})


def _wants_view(asked: Asked) -> bool:
    return asked.query.get("$expand", "").casefold() == _VIEW


def _above(estate: Estate, asked: Asked) -> Problem | None:
    """What is missing above a path, if anything."""
    group = arm(asked.id).group
    scope = f"/subscriptions/{estate.place.subscription}/resourceGroups/{group}"
    if group and scope not in estate.store:
        return group_not_found(group)
    parent = arm(f"{asked.id}/x").parent if is_collection(asked.id) else ""
    if "/providers/" in parent.casefold() and parent not in estate.store:
        return not_found(parent)
    return None


def _listed(estate: Estate, asked: Asked) -> Iterator[str]:
    type, scope = arm_type(f"{asked.id}/x"), arm(f"{asked.id}/x").parent
    if type.casefold() in _INHERITED:
        return _around(estate, type, scope, asked)
    if scope.count("/") == 2:  # noqa: PLR2004 - the subscription itself
        return estate.store.of_type(type, scope)
    return (id for id in estate.store.in_collection(asked.id) if _VIEW not in id.rpartition("/")[2])


def _around(estate: Estate, type: str, scope: str, asked: Asked) -> Iterator[str]:
    """What is written at a scope, above it, and below it unless only `atScope()` is wanted."""
    filter, here = asked.query.get("$filter", "").casefold(), scope.casefold()
    only_here = "atscope()" in filter
    for id in estate.store.of_type(type):
        there = arm(id).parent.casefold()
        is_above = here == there or here.startswith(f"{there}/")
        is_below = there.startswith(f"{here}/") and not only_here
        if (is_above or is_below) and _is_of_principal(estate, id, filter):
            yield id


def _is_of_principal(estate: Estate, id: str, filter: str) -> bool:
    body = estate.store.get(id) or {}
    principal = str(body.get("properties", {}).get("principalId", "")).casefold()
    for word in ("principalid eq ", "assignedto("):
        _, found, rest = filter.partition(word)
        if found and rest.strip("'() ").partition("'")[0].partition(")")[0] != principal:
            return False
    return True


def _summary(estate: Estate, id: str) -> Reply:
    """The state of a scale set, counted over its instances."""
    if id not in estate.store:
        return not_found(id).reply()
    counts: dict[str, int] = {}
    for instance in estate.store.in_collection(f"{id}/virtualMachines"):
        view = estate.store.get(f"{instance}/{_VIEW}") or {}
        for status in view.get("statuses", ()):
            counts[status["code"]] = counts.get(status["code"], 0) + 1
    state = estate.state_of(id) or "Succeeded"
    own = {"code": f"ProvisioningState/{state.casefold()}", "level": "Info"}
    own |= {"displayStatus": f"Provisioning {state.casefold()}"}
    rows = [{"code": code, "count": count} for code, count in sorted(counts.items())]
    return Reply(200, {"virtualMachine": {"statusesSummary": rows}, "statuses": [own]})


def _joined(bodies: list[bytes], link: str) -> bytes:
    end = b',"nextLink":' + msgspec.json.encode(link) if link else b""
    return b'{"value":[' + b",".join(bodies) + b"]" + end + b"}"


def _link(asked: Asked, token: str) -> str:
    rest = {name: value for name, value in asked.query.items() if name != "$skiptoken"}
    words = [f"{name}={quote(value, safe='')}" for name, value in rest.items()]
    return f"{asked.origin}{asked.path}?{'&'.join([*words, f'$skiptoken={token}'])}"
