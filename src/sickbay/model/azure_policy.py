"""Azure Policy: what is assigned where, who is exempt, and what does not comply."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sickbay.model.ages import hours_between, looked_at
from sickbay.model.aks import ManagedCluster
from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_DENY: Final = "deny"
_LONG_AGO: Final = "2000-01-01T00:00:00Z"
# What a managed cluster is made of; without any of these none can be made or scaled.
_PARTS: Final = (
    "Microsoft.ContainerService/managedClusters",
    "Microsoft.Compute/virtualMachineScaleSets",
    "Microsoft.Network/networkSecurityGroups",
    "Microsoft.Network/loadBalancers",
)
# Definitions that come with Azure and need no reading: their ids are the same everywhere.
_LOCATIONS: Final = (
    "e56962a6-4747-49cd-b67b-bf8b01975c4c",
    "e765b5de-1225-4ba3-bd56-1ac6695af988",
)
_TYPES_REFUSED: Final = "6c112d4e-5bc7-47ae-a041-ea2d9dccd749"
_TYPES_ALLOWED: Final = "a08ec900-254a-4555-9bf5-e42af04b5c5c"
_TAG: Final = ("871b6d14-10aa-478d-b590-94f262ecfa99", "1e30110a-5ceb-460c-a204-c1c3969c6d62")


class ParameterValue(AzureShape, frozen=True, gc=False):
    value: Any = None


class PolicyAssignment(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Authorization/policyAssignments"
    look: ClassVar[str] = "az policy assignment list --disable-scope-strict-match -o json"

    display_name: str | None = None
    policy_definition_id: str | None = None
    scope: str | None = None
    not_scopes: list[str] | None = None
    enforcement_mode: str | None = None
    parameters: dict[str, ParameterValue | None] | None = None

    @property
    def is_enforced(self) -> bool:
        return (self.enforcement_mode or "default").casefold() == "default"

    @property
    def title(self) -> str:
        return self.display_name or self.name or self.ref.name

    def covers(self, id: str) -> bool:
        """Whether it holds for a resource; what stands above subscriptions holds for all here."""
        scope = self.scope or self.ref.parent
        is_above = not scope.casefold().startswith("/subscriptions/")
        return (is_above or _is_in(id, scope)) and not any(
            _is_in(id, one) for one in self.not_scopes or ()
        )

    def parameter(self, name: str) -> Any:
        """The value of a parameter, or None."""
        wanted = name.casefold()
        found = (v for k, v in (self.parameters or {}).items() if k.casefold() == wanted)
        return next((one.value for one in found if one), None)

    def forbids(self, cluster: ManagedCluster) -> str:
        """What it denies of a cluster as it is, or nothing; of most definitions nobody can tell."""
        effect = self.parameter("effect")
        if isinstance(effect, str) and effect.casefold() != _DENY:
            return ""
        definition = (self.policy_definition_id or "").rpartition("/")[2].casefold()
        if definition in _LOCATIONS:
            return self._of_location(cluster)
        if definition in (_TYPES_REFUSED, _TYPES_ALLOWED):
            return self._of_types(is_allowance=definition == _TYPES_ALLOWED)
        return self._of_tag(cluster) if definition in _TAG else ""

    def _of_location(self, cluster: ManagedCluster) -> str:
        allowed = _words(self.parameter("listOfAllowedLocations"))
        place = (cluster.location or "").replace(" ", "").casefold()
        is_other = allowed and place and place not in {one.replace(" ", "") for one in allowed}
        return f"the region {place}, allowed are {', '.join(allowed)}" if is_other else ""

    def _of_types(self, *, is_allowance: bool) -> str:
        name = "listOfResourceTypesAllowed" if is_allowance else "listOfResourceTypesNotAllowed"
        listed = _words(self.parameter(name))
        refused = [one for one in _PARTS if (one.casefold() in listed) is not is_allowance]
        return f"resources of type {', '.join(refused)}" if listed and refused else ""

    def _of_tag(self, cluster: ManagedCluster) -> str:
        name, value = self.parameter("tagName"), self.parameter("tagValue")
        if not isinstance(name, str) or not name:
            return ""
        tags = {key.casefold(): tag for key, tag in (cluster.tags or {}).items()}
        if name.casefold() not in tags:
            return f"resources without the tag {name}"
        if isinstance(value, str) and (tags[name.casefold()] or "") != value:
            return f"resources whose tag {name} is not {value}"
        return ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.scope:
            yield arm(self.scope)


class PolicyExemption(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Authorization/policyExemptions"
    look: ClassVar[str] = "az policy exemption list --disable-scope-strict-match -o json"

    policy_assignment_id: str | None = None
    exemption_category: str | None = None
    expires_on: str | None = None

    @property
    def scope(self) -> str:
        return self.ref.parent

    def covers(self, id: str) -> bool:
        return _is_in(id, self.scope)

    def is_of(self, assignment_id: str) -> bool:
        return (self.policy_assignment_id or "").casefold() == assignment_id.casefold()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.scope)


class PolicyState(ArmEntity, frozen=True, gc=False):
    """A resource that does not comply with a policy whose effect is to deny."""

    kind: ClassVar[str] = "Microsoft.PolicyInsights/policyStates"
    look: ClassVar[str] = "az policy state list --filter \"complianceState eq 'NonCompliant'\""

    resource_id: str | None = None
    policy_assignment_id: str | None = None
    policy_assignment_name: str | None = None
    policy_definition_name: str | None = None
    policy_definition_category: str | None = None
    timestamp: str | None = None

    @property
    def modified_at(self) -> str:
        return self.timestamp or ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.resource_id:
            yield arm(self.resource_id)


def is_exempt(snapshot: "Snapshot", assignment_id: str, id: str) -> bool:
    """Whether an exemption that has not ended covers a resource."""
    return any(
        one.is_of(assignment_id) and one.covers(id) and not has_ended(snapshot, one)
        for one in snapshot.grouped(PolicyExemption, "kind", PolicyExemption.kind)
    )


def has_ended(snapshot: "Snapshot", exemption: PolicyExemption) -> bool:
    """Whether an exemption is over, by the newest time that the evidence tells."""
    late = hours_between(exemption.expires_on, snapshot.once(_newest))
    return late is not None and late > 0


def _newest(snapshot: "Snapshot") -> str:
    judged = [one.modified_at for one in snapshot.grouped(PolicyState, "kind", PolicyState.kind)]
    return max(
        (snapshot.once(looked_at), *judged), key=lambda at: hours_between(_LONG_AGO, at) or 0
    )


def owner_of(snapshot: "Snapshot", id: str) -> ManagedCluster | None:
    """The cluster that a resource is, or is a part of, or whose nodes it serves."""
    for cluster in snapshot.some(ManagedCluster):
        nodes = cluster.node_group_id
        if _is_in(id, cluster.id) or (nodes and _is_in(id, nodes)):
            return cluster
    return None


def _is_in(id: str, scope: str) -> bool:
    return f"{id.rstrip('/').casefold()}/".startswith(f"{scope.rstrip('/').casefold()}/")


def _words(value: Any) -> list[str]:
    items = value if isinstance(value, list) else []
    return [one.casefold() for one in items if isinstance(one, str)]
