"""Changes in a body by path: `properties.powerState.code`, `value[name.value=cores].limit`."""

import re
from collections.abc import Mapping
from typing import Any, Final

_STEP: Final = r"([^.\[\]]+)|\[([^\]]*)\]"
Step = tuple[str, str]


class PatchError(Exception):
    """A change that fits nothing."""


def patched(body: Any, changes: Mapping[str, Any], of: str) -> Any:
    """A copy of a body with some paths set; `[]` at the end of a path adds to a list."""
    for path, value in changes.items():
        steps = re.findall(_STEP, path)
        if not steps:
            raise PatchError(f"{of} has a change without a path")
        body = _set(body, steps, value, f"{path} of {of}")
    return body


def _set(body: Any, steps: list[Step], value: Any, of: str) -> Any:
    if not steps:
        return value
    (name, place), rest = steps[0], steps[1:]
    if name:
        known = body if isinstance(body, dict) else {}
        return {**known, name: _set(known.get(name), rest, value, of)}
    listed = list(body) if isinstance(body, list) else []
    if not place:
        return [*listed, _set(None, rest, value, of)]
    at = _found(listed, place, of)
    return [*listed[:at], _set(listed[at], rest, value, of), *listed[at + 1 :]]


def _found(listed: list[Any], place: str, of: str) -> int:
    """The number of the item that `3` or `name=x` means."""
    path, has_value, wanted = place.partition("=")
    numbers = (
        [at for at, one in enumerate(listed) if str(_at(one, path)) == wanted]
        if has_value
        else [int(place)]
        if place.isdecimal() and int(place) < len(listed)
        else []
    )
    if not numbers:
        raise PatchError(f"there is no [{place}] in {of}")
    return numbers[0]


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
