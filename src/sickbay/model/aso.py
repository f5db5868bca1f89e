"""Objects of Azure Service Operator, and its attempts to put them into Azure."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from sickbay.model.entity import Entity, KubeEntity, Shape
from sickbay.model.ids import Ref, arm, kube

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

PREFIX: Final = "serviceoperator.azure.com"
RESOURCE_ID: Final = f"{PREFIX}/resource-id"
RECONCILE_POLICY: Final = f"{PREFIX}/reconcile-policy"
# Arc agents have groups below azure.com too; the versions of ASO carry the date of an Azure API.
_DATED: Final = r"v\d?(?:api|alpha1?(?:api)?|beta)?20\d{6}"
_OWNER: Final = r"Owner \"(?P<name>[^,\"]{1,253}), Group/Kind: [\w.-]+/(?P<kind>\w+)\""
_BAD: Final = frozenset({"Error", "Warning"})
_REFUSED: Final = {
    "object_id": r"object id '([^']{1,80})'",
    "action": r"action(?:\(s\))? '([^']{1,200})'",
    # A refused role assignment names itself; the role belongs on what it is for.
    "scope": r"scope(?:\(s\))? '([^'\s]{1,500}?)(?:/providers/Microsoft\.Authorization/[^']*)?'",
    "principal": r"Principal ([\w-]{8,40}) does not exist",
}


class AsoOwner(Shape, frozen=True, gc=False):
    name: str | None = None
    arm_id: str | None = None
    kind: str | None = None


class AsoSpec(Shape, frozen=True, gc=False):
    azure_name: str | None = None
    owner: AsoOwner | None = None


class AsoCondition(Shape, frozen=True, gc=False):
    type: str = ""
    status: str = ""
    severity: str | None = None
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None
    observed_generation: int | None = None


class AsoStatus(Shape, frozen=True, gc=False):
    conditions: list[AsoCondition] | None = None


class AsoObject(KubeEntity, frozen=True, gc=False):
    """An Azure resource as ASO keeps it in the cluster, of whatever kind."""

    kind: ClassVar[str] = "aso"
    look: ClassVar[str] = "kubectl get azure -A -o json"

    api_version: str = ""
    object_kind: str = msgspec.field(default="", name="kind")
    spec: AsoSpec = AsoSpec()
    status: AsoStatus = AsoStatus()

    @property
    def ref(self) -> Ref:
        return kube(self.object_kind, self.metadata.namespace, self.metadata.name)

    @property
    def is_of_aso(self) -> bool:
        """Whether the operator keeps this object; other products have groups below azure.com."""
        group, _, version = self.api_version.partition("/")
        if group == PREFIX:
            return False
        marks = (*self.annotations, *(self.metadata.finalizers or ()))
        return bool(re.match(_DATED, version)) or any(mark.startswith(PREFIX) for mark in marks)

    @property
    def ready(self) -> AsoCondition | None:
        """The condition that ASO writes; one about an older generation says nothing any more."""
        if not self.is_of_aso:
            return None
        found = next((c for c in self.status.conditions or () if c.type == "Ready"), None)
        seen = found.observed_generation if found else None
        is_stale = seen is not None and seen < (self.metadata.generation or 0)
        return None if is_stale else found

    @property
    def trouble(self) -> AsoCondition | None:
        """The Ready condition, when it tells of a failure and not of work in progress."""
        ready = self.ready
        return ready if ready and ready.status != "True" and ready.severity in _BAD else None

    @property
    def is_unwell(self) -> bool:
        return self.trouble is not None

    @property
    def policy(self) -> str:
        return self.annotations.get(RECONCILE_POLICY, "")

    @property
    def owner_wanted(self) -> Ref | None:
        """The owner that a condition says is waited for."""
        message = (self.ready and self.ready.message) or ""
        found = re.search(_OWNER, message)
        return kube(found["kind"], self.namespace, found["name"]) if found else None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        if self.owner_wanted:
            yield self.owner_wanted
        name = self.spec.owner and self.spec.owner.name
        for kind in _owner_kinds(self.object_kind, self.spec.owner) if name else ():
            ref = kube(kind, self.namespace, name or "")
            if snapshot.find(ref) is not None:
                yield ref
        if id := self.annotations.get(RESOURCE_ID):
            yield arm(id)


def _owner_kinds(kind: str, owner: AsoOwner | None) -> Iterator[str]:
    """What the owner of a kind can be: its name says it, and the rest belongs to a group.

    A ManagedClustersAgentPool belongs to a ManagedCluster, a RedisLinkedServer to a Redis.
    """
    if owner and owner.kind:
        yield owner.kind
    words = re.findall(r"[A-Z]+[a-z0-9]*", kind)
    for count in range(len(words) - 1, 0, -1):
        stem = "".join(words[:count])
        yield stem
        if stem.endswith("s"):
            yield re.sub(r"ies$", "y", stem) if stem.endswith("ies") else stem[:-1]
    yield "ResourceGroup"


def refused(message: str) -> dict[str, str]:
    """Who was refused what, as Azure says it: the names that it gives, and empty ones."""
    found = {name: re.search(pattern, message) for name, pattern in _REFUSED.items()}
    return {name: match[1] if match else "" for name, match in found.items()}


class Attempt(Entity, Shape, frozen=True, gc=False):
    """One try to write or delete something, or several in a row that met the same answer."""

    kind: ClassVar[str] = "attempt"
    look: ClassVar[str] = (
        "kubectl logs -n azureserviceoperator-system deploy/azureserviceoperator-controller-manager"
    )

    target: str
    verb: str
    place: str
    code: str = ""
    message: str = ""
    times: int = 1

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"attempt {self.place}")

    @property
    def series(self) -> str:
        """What all tries at one thing in one file have in common."""
        return f"{self.verb} {self.target.casefold()} {self.place.partition('#')[0]}"

    @property
    def has_failed(self) -> bool:
        return bool(self.code)

    @property
    def target_ref(self) -> Ref:
        if self.target.startswith("/"):
            return arm(self.target)
        return Ref(self.target.partition("/")[0], self.target)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield self.target_ref
