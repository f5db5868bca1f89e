"""How the table of Azure types is read: what belongs to a type, and what a look at it needs."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from sickbay.collect.source import Look
from sickbay.model.ids import Ref, arm, arm_type
from sickbay.record import NamedTuple

_BLANKS: Final = {
    "id": "<the resource>",
    "group": "<its group>",
    "nodes": "<group of its nodes>",
    "subscription": "/subscriptions/<its subscription>",
    "place": "<region>",
    "location": "<its custom location>",
    "since": "<two weeks ago>",
    "day": "<the last day>",
    "workspace": "<workspace>",
}


class How(StrEnum):
    """By what kind of question something is read."""

    LIST = "list"
    ONE = "one"
    # A question that Azure takes only as a POST, and that changes nothing.
    QUERY = "query"
    # What a machine wrote to its serial console, which lies in storage behind a signed link.
    SERIAL = "serial log"
    # Tables of a workspace, which have an endpoint of their own.
    LOGS = "logs"


class When(StrEnum):
    """Of which resources something is read."""

    ALWAYS = "always"
    UNWELL = "failed or cancelled"
    HYBRID = "hybrid clusters of the newer API"
    OWN_NETWORK = "clusters in a network of one's own"


class Near(NamedTuple):
    """Something that is read because of a resource.

    The path may name the resource (`{id}`), its group, the group of its nodes, its
    subscription, its region, its custom location and, of a workspace, the name that its tables
    have. `kind` is what is read; where it
    is empty, the path itself tells.
    """

    path: str
    params: tuple[tuple[str, str], ...] = ()
    how: How = How.LIST
    when: When = When.ALWAYS
    kind: str = ""
    action: str = ""
    # What the answer is called in the evidence, where the path would not tell two apart.
    name: str = ""
    # What else a complete answer covers, and where, when that is not what the path says.
    covers: tuple[str, ...] = ()
    scope: str = ""
    # Nothing else leads there, so that it need not wait until it is known what else there is.
    at_once: bool = False

    def type_at(self, path: str) -> str:
        """The type of what lies at the path, once its blanks are filled."""
        return self.kind or arm_type(path if self.how is How.ONE else f"{path}/x")


class Type(NamedTuple):
    """A type of resource: what is read because of one, and which of the ids in it are followed."""

    kind: str
    near: tuple[Near, ...] = ()
    follows: tuple[str, ...] = ()
    # Types that a document holds whole, inside itself.
    holds: tuple[str, ...] = ()
    # Of how many in one list the surroundings are read; beyond that, a gap says so.
    most: int = 1_000_000


class Known(NamedTuple):
    """The table, by the names of types in lower case."""

    versions: dict[str, str]
    types: dict[str, Type]

    def version(self, kind: str) -> str:
        return self.versions.get(kind.casefold(), "")

    def type(self, kind: str) -> Type:
        """What is known of a type; of most, only its version."""
        return self.types.get(kind.casefold()) or Type(kind)


@cache
def known() -> Known:
    """The table of everything that a run over Azure can read."""
    from sickbay.collect.azure_types import CLUSTERS  # noqa: PLC0415 - they need this module
    from sickbay.collect.azure_types_hybrid import HYBRIDS  # noqa: PLC0415
    from sickbay.collect.azure_versions import VERSIONS  # noqa: PLC0415

    versions = {
        f"{provider}/{word}".casefold(): version
        for provider, version, words in VERSIONS
        for word in words.split()
    }
    types = {
        type.kind.casefold(): type._replace(follows=tuple(kind.casefold() for kind in type.follows))
        for type in (*CLUSTERS, *HYBRIDS)
    }
    return Known(versions, types)


def looks(target: str) -> tuple[Look, ...]:
    """What a run would read, and the right that each look needs, without reading anything."""
    ref = arm(target)
    is_known = ref.is_arm and ref.kind.casefold() in known().types
    first = Look("azure", ref.kind if is_known else "target", target, needs(ref.kind, ""))
    begin = [ref.kind.casefold()] if is_known else sorted(known().types)
    told = _told(ref) if is_known else {}
    found: dict[tuple[str, str], Look] = {}
    for key in _reached(begin):
        for near in known().types[key].near:
            look = _look(known().types[key].kind, near, told if key == begin[0] else {})
            found.setdefault((look.what, look.where), look)
    return (first, *found.values())


def needs(kind: str, action: str) -> str:
    """The action that reads a type, and the smallest built-in role that grants it."""
    from sickbay.collect.answers import role_for  # noqa: PLC0415 - only a dry run tells

    action = action or f"{kind}/read"
    return f"{action} ({role_for(action)})"


def like(kind: str) -> str:
    """An id as those of a type look."""
    namespace, *words = kind.split("/")
    return f"/subscriptions/s/providers/{namespace}" + "".join(f"/{word}/x" for word in words)


def kind_near(owner: str, near: Near) -> str:
    """The type of what a row reads of a type."""
    return near.type_at(near.path.replace("{id}", like(owner)))


def _told(ref: Ref) -> dict[str, str]:
    """The blanks that the id of a target fills."""
    subscription = f"/subscriptions/{ref.subscription}"
    group = f"{subscription}/resourceGroups/{ref.group}"
    return {"id": ref.id, "group": group, "subscription": subscription}


def _look(owner: str, near: Near, told: dict[str, str]) -> Look:
    kind = kind_near(owner, near)
    what = kind if near.when is When.ALWAYS else f"{kind} ({near.when})"
    where = near.path.format(**{**_BLANKS, **told})
    return Look("azure", what, where, needs(kind, near.action))


def _reached(begin: list[str]) -> Iterator[str]:
    """The types that a walk from some types can come to."""
    seen, waiting = set[str](), list(begin)
    while waiting:
        key = waiting.pop(0)
        if key in seen or key not in known().types:
            continue
        seen.add(key)
        yield key
        type = known().types[key]
        waiting += type.follows
        waiting += [kind_near(type.kind, near).casefold() for near in type.near]
