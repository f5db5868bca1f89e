"""One shape for what `az` and REST print of the same resource: flat, with lower-case keys.

`az` hoists the members of `properties` and re-cases names by command family; REST does neither.
Hoisting and lower-casing both gives the form that the classes in `model` decode. Maps whose keys
are the user's own words keep them.
"""

from collections.abc import Mapping
from typing import Any, Final

_USERS_OWN_KEYS: Final = frozenset({"tags", "nodelabels", "labels", "annotations", "config"})
# What `az` calls the type inside `properties`.
_INNER_TYPE: Final = "typepropertiestype"
# No document of Azure nests as deep; what lies below is left out.
_DEEPEST: Final = 60
_PROPERTIES: Final = "properties"
# Keys that are names, as of identities, are not all kept.
_MOST_KEYS: Final = 2_000


class Form(dict[str, "tuple[str, Form | None] | None"]):
    """Which members of an object somebody reads: by its key, the name and the form of each.

    None in place of a form: its keys are the user's own. It learns the spellings that it meets:
    estates have few keys, and each of them a million times.
    """

    __slots__ = ("_members",)

    def __init__(self, members: "Mapping[str, Form] | None") -> None:
        """Of an object whose members have these names and forms; None stands for all of them."""
        super().__init__()
        self._members = members

    def __missing__(self, key: str) -> "tuple[str, Form | None] | None":
        name = str(key).casefold()
        step: tuple[str, Form | None] | None
        if self._members is None:
            step = (name, None if name in _USERS_OWN_KEYS else EVERYTHING)
        elif name in self._members:
            step = (name, None if name in _USERS_OWN_KEYS else self._members[name])
        else:
            step = (name, self) if name == _PROPERTIES else None
        if len(self) < _MOST_KEYS:
            self[key] = step
        return step


EVERYTHING: Final = Form(None)


def flat(value: Any, form: Form = EVERYTHING) -> Any:
    """Return a JSON value with `properties` hoisted and keys in lower case, at every level."""
    if type(value) is list:
        return _flat_list(value, 0, form)
    return _flat_object(value, 0, form) if type(value) is dict else value


def _flat_list(value: list[Any], depth: int, form: Form) -> list[Any]:
    if depth >= _DEEPEST:
        return []
    inside = depth + 1
    return [
        _flat_object(item, inside, form)
        if type(item) is dict
        else _flat_list(item, inside, form)
        if type(item) is list
        else item
        for item in value
    ]


def _flat_object(value: dict[str, Any], depth: int, form: Form) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if depth >= _DEEPEST:
        return result
    inner = None
    for key, member in value.items():
        step = form[key]
        if step is None:
            continue
        name, inside = step
        kind = type(member)
        if kind is not dict and kind is not list:
            result[name] = member
        elif inside is None:
            # A decoder may take members out of it.
            result[name] = member.copy()
        elif kind is dict and name == _PROPERTIES:
            inner = member
        else:
            result[name] = (_flat_object if kind is dict else _flat_list)(member, depth + 1, inside)
    if inner is not None:
        _hoist(_flat_object(inner, depth + 1, form), result)
    return result


def _hoist(inner: dict[str, Any], result: dict[str, Any]) -> None:
    """Lift what `properties` holds.

    The envelope wins: `properties.type` of an extension is not the type of the resource.
    """
    if result.keys().isdisjoint(inner):
        result.update(inner)
        return
    for key, member in inner.items():
        if result.get(key) is None:
            result[key] = member
        elif key == "type":
            result.setdefault(_INNER_TYPE, member)
