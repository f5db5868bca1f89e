"""The resources of a simulated Azure, kept as bytes so that an estate of any size fits."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sickbay.lab.bodies import Body
from sickbay.model.ids import arm_part, arm_type

_ENCODE: Final = msgspec.json.Encoder().encode
_GROUPS: Final = "microsoft.resources/resourcegroups"
# What a parent shows of its children: the field, their type, and whether they are laid flat there.
_SHOWN: Final[dict[str, tuple[tuple[str, str, bool], ...]]] = {
    "microsoft.containerservice/managedclusters": (("agentPoolProfiles", "agentPools", True),),
    "microsoft.network/virtualnetworks": (
        ("subnets", "subnets", False),
        ("virtualNetworkPeerings", "virtualNetworkPeerings", False),
    ),
    "microsoft.network/networksecuritygroups": (("securityRules", "securityRules", False),),
    "microsoft.network/routetables": (("routes", "routes", False),),
}


class Store:
    """Resources by id, without regard to case; the spelling of an id is kept."""

    def __init__(self) -> None:
        self._raw: dict[str, bytes] = {}
        self._ids: dict[str, str] = {}
        self._collections: dict[str, dict[str, None]] = {}
        self._types: dict[str, dict[str, None]] = {}
        # Parents as they were last shown with their children.
        self._shown: dict[str, bytes] = {}

    def put(self, id: str, body: Body) -> None:
        """Keep a body; children that it brings along become resources of their own."""
        self.put_raw(id, _ENCODE(self._without_children(id, body)))

    def put_raw(self, id: str, raw: bytes) -> None:
        """Keep a body that is encoded already and brings no children."""
        key = id.casefold().rstrip("/")
        if key not in self._raw:
            self._ids[key] = id
            above = key.rpartition("/")[0]
            self._collections.setdefault(above, {})[key] = None
            self._types.setdefault(_type(key), {})[key] = None
        self._raw[key] = raw
        self._forget_shown(key)

    def drop(self, id: str) -> None:
        """Forget a resource and everything below it."""
        key = id.casefold().rstrip("/")
        for below in [one for one in self._raw if one == key or one.startswith(f"{key}/")]:
            del self._raw[below], self._ids[below]
            del self._collections[below.rpartition("/")[0]][below]
            del self._types[_type(below)][below]
            self._forget_shown(below)

    def __contains__(self, id: str) -> bool:
        return id.casefold().rstrip("/") in self._raw

    def __len__(self) -> int:
        return len(self._raw)

    def id(self, id: str) -> str:
        """The id as the resource spells it."""
        return self._ids.get(id.casefold().rstrip("/"), id)

    def raw(self, id: str) -> bytes | None:
        """The body of a resource with its children shown, encoded."""
        key = id.casefold().rstrip("/")
        if _type(key) not in _SHOWN or key not in self._raw:
            return self._raw.get(key)
        if key not in self._shown:
            self._shown[key] = _ENCODE(self._with_children(key))
        return self._shown[key]

    def get(self, id: str) -> Body | None:
        """The body of a resource, one's own to change."""
        raw = self.raw(id)
        return None if raw is None else msgspec.json.decode(raw)

    def in_collection(self, path: str) -> Iterator[str]:
        """The ids right below a path: `…/providers/Microsoft.Network/virtualNetworks`."""
        yield from self._collections.get(path.casefold().rstrip("/"), ())

    def of_type(self, type: str, scope: str = "") -> Iterator[str]:
        """The ids of a type anywhere in a scope."""
        within = f"{scope.casefold().rstrip('/')}/" if scope else ""
        yield from (key for key in self._types.get(type.casefold(), ()) if key.startswith(within))

    def types(self) -> Iterator[str]:
        """The types that there is something of."""
        for keys in self._types.values():
            yield from (arm_type(self._ids[key]) for key in list(keys)[:1])

    def top_level(self, scope: str) -> Iterator[str]:
        """The ids of what stands in a group by itself, anywhere in a scope."""
        within = f"{scope.casefold().rstrip('/')}/"
        for type, keys in self._types.items():
            if type.count("/") == 1 and type != _GROUPS and not type.startswith("microsoft.auth"):
                yield from (key for key in keys if key.startswith(within) and _in_group(key))

    def _without_children(self, id: str, body: Body) -> Body:
        shown = _SHOWN.get(_type(id.casefold()))
        properties = body.get("properties")
        if not shown or not isinstance(properties, dict):
            return body
        kept = dict(properties)
        for field, segment, is_flat in shown:
            for child in kept.pop(field, None) or ():
                self._put_child(f"{id}/{segment}", child, is_flat=is_flat)
        return {**body, "properties": kept}

    def _put_child(self, collection: str, child: Body, *, is_flat: bool) -> None:
        id = f"{collection}/{child.get('name', '')}"
        if is_flat:
            inner = {key: value for key, value in child.items() if key != "name"}
            old = self.get(id) or {}
            child = {"properties": {**old.get("properties", {}), **inner}}
        made = {"id": id, "name": id.rpartition("/")[2], "type": arm_type(id), **child}
        self.put(id, made)

    def _with_children(self, key: str) -> Body:
        body: Body = msgspec.json.decode(self._raw[key])
        properties = body.setdefault("properties", {})
        for field, segment, is_flat in _SHOWN[_type(key)]:
            children = [self.get(child) or {} for child in self.in_collection(f"{key}/{segment}")]
            properties[field] = [_flat(child) if is_flat else child for child in children]
        return body

    def _forget_shown(self, key: str) -> None:
        self._shown.pop(key, None)
        self._shown.pop(key.rsplit("/", 2)[0], None)


def _type(key: str) -> str:
    return arm_type(key).casefold()


def _in_group(key: str) -> bool:
    """A resource of a group, and no extension of another resource."""
    return key.count("/providers/") == 1 and bool(arm_part(key, "resourcegroups"))


def _flat(child: Body) -> dict[str, Any]:
    return {"name": child.get("name", ""), **child.get("properties", {})}
