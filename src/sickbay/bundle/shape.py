"""One shape for what `az` and REST print of the same resource: flat, with lower-case keys.

`az` hoists the members of `properties` and re-cases names by command family; REST does neither.
Hoisting and lower-casing both gives the form that the classes in `model` decode. Maps whose keys
are the user's own words keep them.
"""

from typing import Any, Final

_USERS_OWN_KEYS: Final = frozenset({"tags", "nodelabels", "labels", "annotations", "config"})
# What `az` calls the type inside `properties`.
_INNER_TYPE: Final = "typepropertiestype"
# No document of Azure nests as deep; what lies below is left out.
_DEEPEST: Final = 60


def flat(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with `properties` hoisted and keys in lower case, at every level."""
    if isinstance(value, list):
        return [flat(item, depth + 1) for item in value] if depth < _DEEPEST else []
    if not isinstance(value, dict):
        return value
    return _flat_object(value, depth) if depth < _DEEPEST else {}


def _flat_object(value: dict[str, Any], depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, member in value.items():
        lower = str(key).casefold()
        if lower == "properties" and isinstance(member, dict):
            continue
        result[lower] = _copied(member) if lower in _USERS_OWN_KEYS else flat(member, depth + 1)
    inner = value.get("properties")
    if isinstance(inner, dict):
        # The envelope wins: `properties.type` of an extension is not the type of the resource.
        for key, member in flat(inner, depth + 1).items():
            if result.get(key) is None:
                result[key] = member
            elif key == "type":
                result.setdefault(_INNER_TYPE, member)
    return result


def _copied(member: Any) -> Any:
    """A map of the user's own, that a decoder may take members out of."""
    return dict(member) if isinstance(member, dict) else member
