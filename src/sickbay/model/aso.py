"""Objects of Azure Service Operator, and its attempts to put them into Azure."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from sickbay.model.aso_parts import AsoCondition, AsoStatus
from sickbay.model.aso_parts import AsoOwner as AsoOwner  # noqa: PLC0414 - handed on
from sickbay.model.aso_parts import AsoSpec as AsoSpec  # noqa: PLC0414 - handed on
from sickbay.model.aso_retry import Version, version_in
from sickbay.model.entity import Entity, KubeEntity, Shape
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.kubernetes import Pod

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

PREFIX: Final = "serviceoperator.azure.com"
RESOURCE_ID: Final = f"{PREFIX}/resource-id"
RECONCILE_POLICY: Final = f"{PREFIX}/reconcile-policy"
POLLER: Final = f"{PREFIX}/poller-resume-token"
OPERATOR_OF: Final = f"{PREFIX}/operator-namespace"
CREDENTIAL_FROM: Final = f"{PREFIX}/credential-from"
_VERSION: Final = f"{PREFIX}/last-reconciled-version"
# Arc agents have groups below azure.com too; the versions of ASO carry the date of an Azure API.
_DATED: Final = r"v\d?(?:api|alpha1?(?:api)?|beta)?20\d{6}"
_OWNER: Final = r"Owner \"(?P<name>[^,\"]{1,253}), Group/Kind: [\w.-]+/(?P<kind>\w+)\""
_OPERATOR_POD: Final = "azureserviceoperator-controller-manager"
_BAD: Final = frozenset({"Error", "Warning"})
_STABLE: Final = frozenset({"succeeded", "failed", "canceled", "cancelled", "ready"})
_LONGEST: Final = 4_000


class AsoObject(KubeEntity, frozen=True, gc=False):
    """An Azure resource as ASO keeps it in the cluster, of whatever kind."""

    kind: ClassVar[str] = "aso"
    look: ClassVar[str] = "kubectl get azure -A -o json"

    api_version: str = ""
    object_kind: str = msgspec.field(default="", name="kind")
    # As it is: references and secrets can stand anywhere in it.
    spec: Any = None
    status: AsoStatus = AsoStatus()

    @property
    def ref(self) -> Ref:
        return kube(self.object_kind, self.metadata.namespace, self.metadata.name)

    @property
    def wanted(self) -> dict[str, Any]:
        """The spec as a mapping; one of a wrong type asks for nothing."""
        spec = msgspec.to_builtins(self.spec) if isinstance(self.spec, AsoSpec) else self.spec
        return spec if isinstance(spec, dict) else {}

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
    def is_ready(self) -> bool:
        return bool(self.ready and self.ready.status == "True")

    @property
    def trouble(self) -> AsoCondition | None:
        """The Ready condition, when it tells of a failure and not of work in progress."""
        ready = self.ready
        return ready if ready and ready.status != "True" and ready.severity in _BAD else None

    @property
    def is_unwell(self) -> bool:
        return self.trouble is not None

    @property
    def message(self) -> str:
        """What the condition says of a failure, or an empty string."""
        return ((self.trouble and self.trouble.message) or "")[:_LONGEST]

    @property
    def policy(self) -> str:
        return self.annotations.get(RECONCILE_POLICY, "")

    @property
    def resource_id(self) -> str:
        """The ARM id, which ASO notes when it first prepares a request."""
        return self.annotations.get(RESOURCE_ID, "")

    @property
    def azure_name(self) -> str:
        return self._told("azureName")

    @property
    def is_in_transition(self) -> bool:
        """Whether Azure is busy with the resource, and so takes no change."""
        state = self.status.azure_state
        return bool(state) and state.casefold() not in _STABLE

    @property
    def owner_name(self) -> str:
        """The name of the owner in the same namespace; one that is given by ARM id has none."""
        return self._of_owner("name")

    @property
    def owner_wanted(self) -> Ref | None:
        """The owner that a condition says is waited for."""
        message = (self.ready and self.ready.message) or ""
        found = re.search(_OWNER, message)
        return kube(found["kind"], self.namespace, found["name"]) if found else None

    def owner_in(self, snapshot: "Snapshot") -> "AsoObject | None":
        """The owner, if it is in evidence."""
        for ref in self._owners():
            owner = snapshot.find(ref)
            if isinstance(owner, AsoObject):
                return owner
        return None

    def operator_version(self, snapshot: "Snapshot") -> Version | None:
        """The version of ASO: by the label of the object, of a CRD, or by the operator's image."""
        if told := version_in(self.labels.get(_VERSION, "")):
            return told
        return snapshot.once(_installed_version)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        if self.owner_wanted:
            yield self.owner_wanted
        for ref in self._owners() if self.owner_name else ():
            if snapshot.find(ref) is not None:
                yield ref
        if self.resource_id:
            yield arm(self.resource_id)

    def _owners(self) -> Iterator[Ref]:
        """The names that the owner can have: what the condition says, else by the kind."""
        if self.owner_wanted:
            yield self.owner_wanted
        told = self._of_owner("kind")
        kinds = (told,) if told else _owner_kinds(self.object_kind)
        for kind in kinds if self.owner_name else ():
            yield kube(kind, self.namespace, self.owner_name)

    def _of_owner(self, key: str) -> str:
        owner = self.wanted.get("owner")
        value = owner.get(key) if isinstance(owner, dict) else None
        return value if isinstance(value, str) else ""

    def _told(self, key: str) -> str:
        value = self.wanted.get(key)
        return value if isinstance(value, str) else ""


def _owner_kinds(kind: str) -> Iterator[str]:
    """What the owner of a kind can be: its name says it, and the rest belongs to a group.

    A ManagedClustersAgentPool belongs to a ManagedCluster, a RedisLinkedServer to a Redis.
    """
    words = re.findall(r"[A-Z]+[a-z0-9]*", kind)
    for count in range(len(words) - 1, 0, -1):
        stem = "".join(words[:count])
        yield stem
        if stem.endswith("s"):
            yield re.sub(r"ies$", "y", stem) if stem.endswith("ies") else stem[:-1]
    yield "ResourceGroup"


def _installed_version(snapshot: "Snapshot") -> Version | None:
    labels = [crd_version(crd) for crd in _some(snapshot, CustomResourceDefinition)]
    told = [version for text in labels if (version := version_in(text))]
    return snapshot.once(controller_version) or max(told, default=None)


def controller_version(snapshot: "Snapshot") -> Version | None:
    """The version of the controller that runs, by its image."""
    images = [
        container.image or ""
        for pod in _some(snapshot, Pod)
        if pod.name.startswith(_OPERATOR_POD)
        for container in pod.spec.containers or ()
        if "azureserviceoperator" in (container.image or "")
    ]
    return max((version for text in images if (version := version_in(text))), default=None)


def crd_version(crd: CustomResourceDefinition) -> str:
    """The release of ASO that a CRD is from; empty for a CRD of another product."""
    is_of_aso = crd.labels.get("app.kubernetes.io/name") == "azure-service-operator"
    return crd.labels.get("app.kubernetes.io/version", "") if is_of_aso else ""


def _some(snapshot: "Snapshot", kind: Any) -> tuple[Any, ...]:
    return snapshot.some(kind) if snapshot.holds(kind.kind) else ()


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
    # When the first and the last of them were, if the writer says so.
    first: str = ""
    last: str = ""

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


class CredentialUse(Entity, Shape, frozen=True, gc=False):
    """What a log or an event says: the secret whose credential ASO uses for an object."""

    kind: ClassVar[str] = "credential use"
    look: ClassVar[str] = "kubectl get events -A --field-selector reason=CredentialFrom"

    target: str
    secret: str

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"credential of {self.target}")


class ArgoSource(Shape, frozen=True, gc=False):
    repo_url: str | None = msgspec.field(default=None, name="repoURL")
    path: str | None = None
    chart: str | None = None


class ArgoSpec(Shape, frozen=True, gc=False):
    source: ArgoSource | None = None
    sources: list[ArgoSource] | None = None


class ArgoApplication(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Application"
    group: ClassVar[str] = "argoproj.io"
    look: ClassVar[str] = "kubectl get applications.argoproj.io -A -o json"

    spec: ArgoSpec = ArgoSpec()

    @property
    def sources(self) -> Iterator[ArgoSource]:
        if self.spec.source:
            yield self.spec.source
        yield from self.spec.sources or ()
