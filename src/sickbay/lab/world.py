"""What a world is: an estate of resources, and what its Azure refuses; read from YAML."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml

from sickbay.errors import SickbayError
from sickbay.lab.patch import PatchError, patched
from sickbay.lab.place import LOCATION, SUBSCRIPTION
from sickbay.record import NamedTuple

_FIELDS: Final = frozenset(
    "about base location subscription providers add set remove answers activity states refuse "
    "outcomes forbid trouble pages versions grow sign_in".split()
)
_LISTS: Final = "add activity states refuse outcomes forbid trouble grow sign_in".split()
_MAPS: Final = "subscription providers answers pages versions".split()


class World(NamedTuple):
    """A base and everything laid over it, in the words of its files; ids are still short."""

    name: str
    about: str
    location: str = LOCATION
    subscription: Mapping[str, Any] = {}
    providers: Mapping[str, str] = {}
    add: Sequence[Mapping[str, Any]] = ()
    answers: Mapping[str, Any] = {}
    activity: Sequence[Mapping[str, Any]] = ()
    states: Sequence[Mapping[str, Any]] = ()
    refuse: Sequence[Mapping[str, Any]] = ()
    outcomes: Sequence[Mapping[str, Any]] = ()
    forbid: Sequence[str] = ()
    trouble: Sequence[Mapping[str, Any]] = ()
    pages: Mapping[str, Any] = {}
    versions: Mapping[str, Sequence[str]] = {}
    # Clusters whose machines are made as the service of AKS would make them.
    grow: Sequence[str] = ()
    # Whom Entra ID turns away.
    sign_in: Sequence[Mapping[str, Any]] = ()

    @property
    def subscription_id(self) -> str:
        return str(self.subscription.get("subscriptionId") or SUBSCRIPTION)


def load(name: str) -> World:
    """A world that comes along by its name, or one of one's own by its file."""
    source = Path(name) if name.endswith((".yaml", ".yml")) else None
    if source is None and name not in worlds():
        near = get_close_matches(name, worlds(), 3, 0.4)
        hint = f"did you mean {', '.join(near)}" if near else "see: sickbay lab list"
        raise SickbayError(f"there is no world {name}", hint)
    text = _read(source) if source else _packed("worlds", name)
    return _whole(source.stem if source else name, _parsed(text, name))


@cache
def worlds() -> dict[str, str]:
    """The worlds that come along, with the line that tells each."""
    found = {}
    for file in sorted(files("sickbay.lab").joinpath("worlds").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".yaml"):
            first = file.read_text(encoding="utf-8").partition("\n")[0]
            found[file.name.removesuffix(".yaml")] = first.removeprefix("about:").strip()
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SickbayError(f"cannot read {path}", str(getattr(error, "strerror", error))) from None


def _packed(folder: str, name: str) -> str:
    file = files("sickbay.lab").joinpath(folder, f"{name}.yaml")
    if not file.is_file():
        raise SickbayError(f"there is no base {name}", f"use one of {', '.join(_bases())}")
    return file.read_text(encoding="utf-8")


def _bases() -> list[str]:
    found = files("sickbay.lab").joinpath("estates").iterdir()
    return sorted(one.name.removesuffix(".yaml") for one in found if one.name.endswith(".yaml"))


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        found = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe
    except yaml.YAMLError as error:
        raise SickbayError(f"{name} is no YAML", str(error).partition("\n")[0]) from None
    if not isinstance(found, dict):
        raise SickbayError(f"{name} is no world", "a world is a mapping with at least: about")
    unknown = sorted(set(found) - _FIELDS)
    if unknown:
        raise SickbayError(f"{name} has the unknown field {unknown[0]}", "see docs/lab.md")
    return found


def _whole(name: str, own: dict[str, Any]) -> World:
    base = own.get("base")
    under = _whole(base, _parsed(_packed("estates", base), base)) if base else World(name, "")
    merged: dict[str, Any] = under._asdict() | {"name": name, "about": own.get("about", "")}
    merged["location"] = own.get("location", under.location)
    for field in _LISTS:
        merged[field] = [*merged[field], *(own.get(field) or ())]
    for field in _MAPS:
        merged[field] = {**merged[field], **(own.get(field) or {})}
    try:
        return _changed(World(**merged), own)
    except PatchError as error:
        raise SickbayError(f"{name} cannot be laid over {base or 'nothing'}", str(error)) from None


def _changed(world: World, own: dict[str, Any]) -> World:
    """The world after its `set` and `remove`."""
    resources = [dict(one) for item in world.add for one in _copies(item)]
    answers = dict(world.answers)
    for id, changes in (own.get("set") or {}).items():
        if id in answers:
            answers[id] = patched(answers[id], changes, id)
            continue
        found = [at for at, one in enumerate(resources) if one.get("id") == id]
        if not found:
            raise PatchError(f"there is no {id} to change")
        resources[found[0]] = patched(resources[found[0]], changes, id)
    for id in own.get("remove") or ():
        left = [one for one in resources if not _is_within(str(one.get("id", "")), id)]
        if len(left) == len(resources):
            raise PatchError(f"there is no {id} to remove")
        resources = left
    return world._replace(add=resources, answers=answers)


def _is_within(id: str, removed: str) -> bool:
    return id == removed or id.startswith(f"{removed}/")


def _copies(item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One resource, or several that differ in their number `{n}`."""
    rest = {key: value for key, value in item.items() if key != "copies"}
    if "copies" not in item:
        yield rest
        return
    for number in range(int(item["copies"])):
        yield _numbered(rest, str(number))


def _numbered(value: Any, number: str) -> Any:
    if isinstance(value, str):
        return value.replace("{n}", number)
    if isinstance(value, dict):
        return {key: _numbered(inner, number) for key, inner in value.items()}
    if isinstance(value, list):
        return [_numbered(inner, number) for inner in value]
    return value
