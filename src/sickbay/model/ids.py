"""Names of things: one `Ref` for what Azure calls a resource and Kubernetes an object."""

from functools import lru_cache
from typing import Final

_ARM_PREFIX: Final = "/subscriptions/"
_CLUSTER_SCOPED: Final = 2
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_NODE_DIGITS: Final = 6
# A resource of an estate is named a dozen times by whatever is near it.
_REMEMBERED: Final = 131_072


class Ref:
    """One thing in the world. ARM ids compare without case and keep their spelling.

    `kind` is an ARM type (`Microsoft.Network/virtualNetworks/subnets`), a Kubernetes kind (`Pod`),
    or one of our own (`text`, `host`). `id` is the ARM id, or `pod/NAMESPACE/NAME`, or whatever
    names the thing best.
    """

    # A plain class: Ref is made for each of a million records, and its hash is its key.
    __slots__ = ("_key", "id", "kind")

    def __init__(self, kind: str, id: str) -> None:
        self.kind = kind
        self.id = id
        folded = id.casefold() if id.startswith("/") else ""
        self._key = folded.rstrip("/") if folded.startswith(_ARM_PREFIX) else id

    @property
    def key(self) -> str:
        """What two spellings of one name have in common."""
        return self._key

    @property
    def name(self) -> str:
        """The last word of the id."""
        return self.id.rstrip("/").rpartition("/")[2]

    @property
    def namespace(self) -> str:
        """The Kubernetes namespace, or an empty string."""
        parts = self.id.split("/")
        return parts[1] if len(parts) > _CLUSTER_SCOPED and not self.is_arm else ""

    @property
    def is_arm(self) -> bool:
        return self._key.startswith(_ARM_PREFIX)

    @property
    def group(self) -> str:
        """The resource group of an ARM id, or an empty string."""
        return arm_part(self.id, "resourcegroups")

    @property
    def subscription(self) -> str:
        return arm_part(self.id, "subscriptions")

    @property
    def parent(self) -> str:
        """The ARM id one level up: of a subnet its network, of a lock what it guards."""
        above = self.id.rstrip("/").rsplit("/", 2)[0]
        scope, _, namespace = above.rpartition("/")
        is_provider = scope.casefold().endswith("/providers") and namespace
        return scope[: -len("/providers")] if is_provider else above

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __lt__(self, other: "Ref") -> bool:
        return (self._key, self.id) < (other._key, other.id)

    def __repr__(self) -> str:
        return f"Ref({self.kind!r}, {self.id!r})"

    def __str__(self) -> str:
        return self.id


@lru_cache(maxsize=_REMEMBERED)
def arm(id: str) -> Ref:
    """The Ref of an ARM id, with the type that the id itself spells."""
    return Ref(arm_type(id), id)


@lru_cache(maxsize=_REMEMBERED)
def arm_of(kind: str, id: str) -> Ref:
    """The Ref of an ARM id whose type is known."""
    ref = arm(id)
    return ref if ref.kind == kind else Ref(kind, id)


def kube(kind: str, namespace: str, name: str) -> Ref:
    """The Ref of a Kubernetes object; an empty namespace means cluster-scoped."""
    # Made by the million: the id cannot be an ARM id, so what looks for one is left out.
    ref = Ref.__new__(Ref)
    ref.kind = kind
    ref.id = ref._key = (  # noqa: SLF001 - its own constructor
        f"{kind.lower()}/{namespace}/{name}" if namespace else f"{kind.lower()}/{name}"
    )
    return ref


def node_name(machine: Ref) -> str:
    """How Kubernetes calls a machine of a scale set: the set's name, and its number in base 36."""
    number, digits = int(machine.name) if machine.name.isdecimal() else 0, ""
    while number:
        number, rest = divmod(number, len(_DIGITS))
        digits = _DIGITS[rest] + digits
    return f"{arm(machine.parent).name}{digits:0>{_NODE_DIGITS}}".casefold()


def arm_type(id: str) -> str:
    """The ARM type of an id: `/subscriptions/…/providers/A/b/x/c/y` is of type `A/b/c`."""
    _, found, tail = _last_provider(id)
    if not found:
        return _containers(id)
    namespace, *rest = tail.strip("/").split("/")
    if not rest:
        return "Microsoft.Resources/providers"
    return "/".join([namespace, *rest[::2]])


def arm_part(id: str, segment: str) -> str:
    """The name that follows a segment of an ARM id, or an empty string."""
    parts = id.strip("/").split("/")
    for index, part in enumerate(parts[:-1]):
        if part.casefold() == segment:
            return parts[index + 1]
    return ""


def _last_provider(id: str) -> tuple[str, str, str]:
    at = id.casefold().rfind("/providers/")
    return (id[:at], "/providers/", id[at + len("/providers/") :]) if at >= 0 else (id, "", "")


def _containers(id: str) -> str:
    if "/resourcegroups/" in id.casefold():
        return "Microsoft.Resources/resourceGroups"
    return "Microsoft.Resources/subscriptions"
