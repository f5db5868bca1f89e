"""The body of a resource: the recorded form of its type, with what is said of it laid over."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from sickbay.lab.place import Place, guid
from sickbay.model.ids import arm, arm_type

Body = dict[str, Any]

_WORD: Final = r"\{(\w+)\}"
_INSTANCE_DIGITS: Final = 6


def body_of(id: str, given: Body, place: Place) -> Body:
    """A whole body; a field that is given as null is taken out of the recorded form."""
    type = given.get("type") or arm_type(id)
    words = _words(id, given, place)
    form = place.filled(_filled(_form(type), words, id))
    return _laid_over(form, {**given, "id": id} if "id" in form else given)


def types() -> tuple[str, ...]:
    """The types whose form was recorded."""
    return tuple(sorted(body["type"] for body in _forms().values() if "type" in body))


@cache
def _forms() -> dict[str, Body]:
    found: dict[str, Body] = {}
    for file in files("sickbay.lab").joinpath("bodies").iterdir():
        if file.name.endswith(".json"):
            forms = json.loads(file.read_text(encoding="utf-8"))
            found |= {type.casefold(): body for type, body in forms.items()}
    return found


def _form(type: str) -> Body:
    plain: Body = {"id": "{id}", "name": "{name}", "type": type, "location": "{location}"}
    plain["properties"] = {"provisioningState": "Succeeded"}
    return _forms().get(type.casefold(), plain)


def _words(id: str, given: Body, place: Place) -> dict[str, str]:
    ref, parts = arm(id), id.strip("/").split("/")
    *_, grandparent, above, between, leaf = ("", "", "", *parts)
    # The view of a machine hangs right under it, without a collection in between.
    parent = between if leaf.casefold() == "instanceview" else above
    return {
        "id": id,
        "name": str(given.get("name") or leaf),
        "leaf": leaf,
        "leaf6": _padded(leaf),
        "parent": parent,
        "parent6": _padded(parent),
        "grandparent": grandparent,
        "group": f"/subscriptions/{place.subscription}/resourceGroups/{ref.group}",
        "groupname": ref.group,
        "location": str(given.get("location") or place.location),
        "tenant": place.tenant,
        "time": "{-30d}",
    }


def _padded(number: str) -> str:
    """The number of an instance as the name of its computer spells it: in base 36."""
    if not number.isdecimal():
        return number
    digits, left = "", int(number)
    while left or not digits:
        left, digit = divmod(left, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(_INSTANCE_DIGITS, "0")


def _filled(form: Any, words: dict[str, str], path: str) -> Any:
    if isinstance(form, dict):
        return {key: _filled(value, words, f"{path}.{key}") for key, value in form.items()}
    if isinstance(form, list):
        return [_filled(value, words, f"{path}.{at}") for at, value in enumerate(form)]
    if not isinstance(form, str) or "{" not in form:
        return form
    return re.sub(_WORD, lambda found: _word(found[1], words, path), form)


def _word(word: str, words: dict[str, str], path: str) -> str:
    if word == "guid":
        return guid(path)
    return words.get(word, f"{{{word}}}")


def _laid_over(form: Body, given: Body) -> Body:
    """What is given wins; objects are merged, lists are replaced."""
    merged = dict(form)
    for key, value in given.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _laid_over(merged[key], value)
        else:
            merged[key] = value
    return merged
