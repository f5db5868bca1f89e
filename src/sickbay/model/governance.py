"""What surrounds the resources of a cluster: groups, roles, features and scaling by others."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

# The built-in roles that AKS asks for, and those that hold everything they hold.
_BUILT_IN: Final = {
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
    "b24988ac-6180-42a0-ab88-20f7382dd24c": "Contributor",
    "4d97b98b-1d4f-4787-a291-c67834d212e7": "Network Contributor",
    "7f951dda-4ed3-4680-a7ca-43fe172d538d": "AcrPull",
    "8311e382-0749-4cb8-b61a-304f252e45ec": "AcrPush",
    "b93aa761-3e63-49ed-ac28-beffa264f7ac": "Container Registry Repository Reader",
    "b12aa53e-6015-4669-85d0-8515ebb3ae7f": "Private DNS Zone Contributor",
    "f1a07417-d97a-45cb-824c-7a7467783830": "Managed Identity Operator",
    "acdd72a7-3385-48ef-bd42-f606fba81ae7": "Reader",
}


class ResourceGroup(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Resources/resourceGroups"
    look: ClassVar[str] = "az group list -o json"

    managed_by: str | None = None

    def tag(self, name: str) -> str:
        """The value of a tag, whose name Azure compares without case."""
        wanted = name.casefold()
        return next((v or "" for k, v in (self.tags or {}).items() if k.casefold() == wanted), "")


class RoleAssignment(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Authorization/roleAssignments"
    look: ClassVar[str] = "az role assignment list --all -o json"

    principal_id: str | None = None
    principal_type: str | None = None
    role_definition_id: str | None = None
    role_definition_name: str | None = None
    scope: str | None = None
    condition: str | None = None

    @property
    def role(self) -> str:
        """The role by its name; of one that nobody named, its id."""
        id = (self.role_definition_id or "").rpartition("/")[2].casefold()
        return self.role_definition_name or _BUILT_IN.get(id, id)

    @property
    def is_known(self) -> bool:
        """Whether the role is one whose actions are known here; of others nobody can tell."""
        return self.role in _BUILT_IN.values()

    def covers(self, id: str) -> bool:
        """Whether the assignment holds for a resource: at its own scope or above."""
        scope = (self.scope or "").rstrip("/").casefold() + "/"
        return (id.rstrip("/").casefold() + "/").startswith(scope)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.scope:
            yield arm(self.scope)


def has_role(
    snapshot: "Snapshot", principals: tuple[str, ...], id: str, wanted: tuple[str, ...]
) -> bool:
    """Whether an identity has one of some roles on a resource; raises where nobody can tell."""
    snapshot.require(RoleAssignment, id)
    held = [
        one
        for principal in principals
        for one in snapshot.grouped(RoleAssignment, "principal_id", principal)
        if one.covers(id)
    ]
    if any(one.role in wanted for one in held):
        return True
    groups = (one for one in snapshot.grouped(RoleAssignment, "principal_type", "Group"))
    lent = any(one.covers(id) and (one.role in wanted or not one.is_known) for one in groups)
    if lent or any(not one.is_known for one in held):
        what = f"what {principals[0]} may do on {arm(id).name}, by a role of one's own or a group"
        raise UnseenError(Gap(RoleAssignment.kind, what, to_open="az role definition list -o json"))
    return False


class ManagedIdentity(ArmEntity, frozen=True, gc=False):
    """An identity that workloads sign in as."""

    kind: ClassVar[str] = "Microsoft.ManagedIdentity/userAssignedIdentities"
    look: ClassVar[str] = "az identity list -o json"

    client_id: str | None = None
    principal_id: str | None = None

    @property
    def client_key(self) -> str:
        return (self.client_id or "").casefold()


class FederatedCredential(ArmEntity, frozen=True, gc=False):
    """Whose token an identity takes for its own: of which issuer, and of which account."""

    kind: ClassVar[str] = (
        "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials"
    )
    look: ClassVar[str] = (
        "az identity federated-credential list -g <group> --identity-name <identity> -o json"
    )

    issuer: str | None = None
    subject: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)


class Feature(ArmEntity, frozen=True, gc=False):
    """A preview feature and whether the subscription is registered for it."""

    kind: ClassVar[str] = "Microsoft.ContainerService/features"
    look: ClassVar[str] = "az feature list --namespace Microsoft.ContainerService -o json"

    state: str | None = None


class AutoscaleSetting(ArmEntity, frozen=True, gc=False):
    """A rule of Azure Monitor that scales a resource, as opposed to the cluster autoscaler."""

    kind: ClassVar[str] = "Microsoft.Insights/autoscaleSettings"
    look: ClassVar[str] = "az monitor autoscale list -g {node_resource_group} -o json"

    enabled: bool | None = None
    target_resource_uri: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.target_resource_uri:
            yield arm(self.target_resource_uri)
