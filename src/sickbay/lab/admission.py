"""What Azure turns away before it begins: what is locked, denied, missing, full or busy."""

from collections.abc import Mapping
from typing import Any, Final

from sickbay.lab.answers import (
    Asked,
    Problem,
    disallowed,
    group_not_found,
    locked,
    not_provisioned,
    parent_not_found,
    unregistered,
)
from sickbay.lab.bodies import Body
from sickbay.lab.estate import Estate
from sickbay.lab.manners import AKS, is_at_once
from sickbay.lab.quota import exceeded
from sickbay.model.ids import arm, arm_type

_LOCKS: Final = "Microsoft.Authorization/locks"
_CLUSTERS: Final = "microsoft.containerservice/managedclusters"


def refused(estate: Estate, asked: Asked, body: Body) -> Problem | None:
    """Why a write is turned away, if it is; the order is that of Azure."""
    return (
        _disabled(estate)
        or _unregistered(estate, asked.id)
        or _nowhere(estate, asked)
        or _locked(estate, asked)
        or _stated(estate, asked)
        or _busy(estate, asked)
        or _unready(estate, asked, body)
        or exceeded(estate, asked, body)
    )


def _disabled(estate: Estate) -> Problem | None:
    if str(estate.world.subscription.get("state", "Enabled")) not in ("Disabled", "Deleted"):
        return None
    message = (
        f"The subscription '{estate.place.subscription}' is disabled and therefore marked as read "
        "only. You cannot perform any write actions on this subscription until it is re-enabled."
    )
    return Problem(409, "ReadOnlyDisabledSubscription", message)


def _unregistered(estate: Estate, id: str) -> Problem | None:
    namespace = arm_type(id).partition("/")[0]
    known = {name.casefold(): (name, state) for name, state in estate.providers.items()}
    name, state = known.get(namespace.casefold(), (namespace, "Registered"))
    return None if state == "Registered" else unregistered(name)


def _nowhere(estate: Estate, asked: Asked) -> Problem | None:
    ref = arm(asked.id)
    group = f"/subscriptions/{estate.place.subscription}/resourceGroups/{ref.group}"
    if ref.group and ref.kind != "Microsoft.Resources/resourceGroups" and group not in estate.store:
        return group_not_found(ref.group)
    parent = ref.parent
    if "/providers/" in parent.casefold() and parent not in estate.store:
        return parent_not_found(asked.id)
    return None


def _locked(estate: Estate, asked: Asked) -> Problem | None:
    if arm_type(asked.id).casefold() == _LOCKS.casefold():
        return None
    is_delete = asked.method == "DELETE"
    for lock in estate.store.of_type(_LOCKS):
        level = (estate.store.get(lock) or {}).get("properties", {}).get("level")
        scope = arm(estate.store.id(lock)).parent
        is_within = f"{asked.key}/".startswith(f"{scope.casefold()}/")
        # A group is not deleted while something in it may not be.
        is_below = is_delete and f"{scope.casefold()}/".startswith(f"{asked.key}/")
        if (level == "ReadOnly" or is_delete) and (is_within or is_below):
            return locked(asked.id, "delete" if is_delete else "write", scope)
    return None


def _stated(estate: Estate, asked: Asked) -> Problem | None:
    """What the world says that it refuses; some of it only the first so many times."""
    verb = "delete" if asked.method == "DELETE" else "write"
    for number, given in enumerate(estate.world.refuse):
        rule = estate.place.filled(dict(given))
        is_over = "times" in rule and estate.given[number] >= int(rule["times"])
        if verb in rule and not is_over and is_about(asked.id, str(rule[verb])):
            estate.given[number] += 1
            return _problem(estate, asked, rule)
    return None


def is_about(id: str, wanted: str) -> bool:
    """Whether a rule of a world is about this resource: by its id, or by its type."""
    if wanted.startswith("/"):
        return id.casefold() == wanted.casefold()
    return arm_type(id).casefold() == wanted.casefold()


def _problem(estate: Estate, asked: Asked, rule: Mapping[str, Any]) -> Problem:
    if "policy" in rule:
        return disallowed(asked.id, estate.store.get(str(rule["policy"])) or {})
    more = {key: rule[key] for key in ("details", "target", "additionalInfo") if key in rule}
    is_flat = arm_type(asked.id).casefold().startswith(AKS)
    status, code = int(rule.get("status", 400)), str(rule.get("code", "BadRequest"))
    return Problem(status, code, str(rule.get("message", "")), more, is_flat=is_flat)


def _busy(estate: Estate, asked: Asked) -> Problem | None:
    """One operation at a time on a cluster and its pools."""
    type = arm_type(asked.id).casefold()
    if not type.startswith(_CLUSTERS):
        return None
    cluster = "/".join(asked.id.split("/")[:9])
    if not (estate.operations.is_busy(cluster) or estate.operations.is_busy(asked.id)):
        return None
    message = (
        "Operation is not allowed: Another operation is in progress. Please refer "
        "https://aka.ms/aks/aksoperationpreempted to for more details."
    )
    inner = "rpc error: code = FailedPrecondition desc = Etag mismatched"
    more: dict[str, Any] = {"details": [{"code": "Unspecified", "message": inner}]}
    more["subcode"] = "PutManagedClusterAndComponents_FailedPrecondition_HCPServerError"
    return Problem(409, "EtagMismatch", message, more, is_flat=True)


def _unready(estate: Estate, asked: Asked, body: Body) -> Problem | None:
    """A network resource waits for those that it refers to."""
    if not arm_type(asked.id).casefold().startswith("microsoft.network/") or is_at_once(
        arm_type(asked.id)
    ):
        return None
    for id in references(body):
        if id.casefold() != asked.key and estate.operations.is_busy(id):
            return not_provisioned(asked.id, id)
    return None


def references(value: Any) -> list[str]:
    """The ids of resources that a body names."""
    if isinstance(value, str):
        return [value] if value.startswith("/subscriptions/") else []
    if isinstance(value, dict):
        return [id for inner in value.values() for id in references(inner)]
    if isinstance(value, list):
        return [id for inner in value for id in references(inner)]
    return []
