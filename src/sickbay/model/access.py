"""Kubernetes objects that say who may do what, and the audit events that show who was refused."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Pod

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

_RBAC: Final = "rbac.authorization.k8s.io"


class PolicyRule(Shape, frozen=True, gc=False):
    verbs: list[str] | None = None
    api_groups: list[str] | None = None
    resources: list[str] | None = None
    resource_names: list[str] | None = None

    def covers(self, asked: "Asked") -> bool:
        """Whether it speaks of what was asked, whatever it allows to do with it."""
        if self.resource_names and asked.name not in self.resource_names:
            return False
        in_group = {"*", asked.api_group} & set(self.api_groups or ())
        return bool(in_group and {"*", asked.resource} & set(self.resources or ()))

    def allows(self, asked: "Asked") -> bool:
        return self.covers(asked) and bool({"*", asked.verb} & set(self.verbs or ()))


class Asked(NamedTuple):
    """One request: a verb on a resource (`pods/exec` with its part), in a namespace or anywhere."""

    verb: str
    resource: str
    api_group: str = ""
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        kind, slash, part = self.resource.partition("/")
        return f"{kind}.{self.api_group}{slash}{part}" if self.api_group else self.resource


class RoleRef(Shape, frozen=True, gc=False):
    kind: str = ""
    name: str = ""


class Grantee(Shape, frozen=True, gc=False):
    """Whom a binding grants something: a service account, a user or a group."""

    kind: str = ""
    name: str = ""
    namespace: str = ""


class ServiceAccount(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ServiceAccount"
    look: ClassVar[str] = "kubectl get serviceaccounts -A -o json"

    @property
    def azure_client(self) -> str:
        """The identity of Azure that pods of the account sign in as, by its client id."""
        return self.annotations.get("azure.workload.identity/client-id", "")


class Role(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Role"
    group: ClassVar[str] = _RBAC
    look: ClassVar[str] = "kubectl get roles -A -o json"

    rules: list[PolicyRule] | None = None


class ClusterRole(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ClusterRole"
    group: ClassVar[str] = _RBAC
    look: ClassVar[str] = "kubectl get clusterroles -o json"

    rules: list[PolicyRule] | None = None


class Binding(KubeEntity, frozen=True, gc=False):
    """What both kinds of bindings have in common."""

    role_ref: RoleRef = RoleRef()
    subjects: list[Grantee] | None = None

    @property
    def role(self) -> Ref:
        """The role that is granted; a Role is one of the binding's own namespace."""
        at_home = self.namespace if self.role_ref.kind == "Role" else ""
        return kube(self.role_ref.kind, at_home, self.role_ref.name)

    @property
    def accounts(self) -> list[Ref]:
        """The service accounts that it names; without a namespace a binding names nobody."""
        return [
            kube("ServiceAccount", one.namespace or self.namespace, one.name)
            for one in self.subjects or ()
            if one.kind == "ServiceAccount" and one.name
        ]

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield self.role
        yield from self.accounts


class RoleBinding(Binding, frozen=True, gc=False):
    kind: ClassVar[str] = "RoleBinding"
    group: ClassVar[str] = _RBAC
    look: ClassVar[str] = "kubectl get rolebindings -A -o json"


class ClusterRoleBinding(Binding, frozen=True, gc=False):
    kind: ClassVar[str] = "ClusterRoleBinding"
    group: ClassVar[str] = _RBAC
    look: ClassVar[str] = "kubectl get clusterrolebindings -o json"


class AuditUser(Shape, frozen=True, gc=False):
    username: str = ""


class AuditTarget(Shape, frozen=True, gc=False):
    resource: str = ""
    subresource: str = ""
    api_group: str = ""
    namespace: str = ""
    name: str = ""


class AuditAnswer(Shape, frozen=True, gc=False):
    code: int | None = None
    message: str | None = None


_FORBIDDEN: Final = 403
_ACCOUNT: Final = "system:serviceaccount:"
_PARTS_OF_ACCOUNT: Final = 2


class AuditEvent(KubeEntity, frozen=True, gc=False):
    """One request in the audit log of the API server (kube-audit)."""

    kind: ClassVar[str] = "Event.audit.k8s.io"
    group: ClassVar[str] = "audit.k8s.io"
    look: ClassVar[str] = "az monitor diagnostic-settings list --resource <cluster-id>"

    audit_id: str = ""
    verb: str = ""
    user: AuditUser = AuditUser()
    object_ref: AuditTarget | None = None
    response_status: AuditAnswer | None = None
    request_received_timestamp: str | None = None

    @property
    def ref(self) -> Ref:
        return Ref(self.kind, f"audit/{self.audit_id}")

    @property
    def refused(self) -> "tuple[Ref, Asked] | None":
        """The service account that was refused, and what it asked for."""
        answer, target = self.response_status, self.object_ref
        if answer is None or answer.code != _FORBIDDEN or target is None:
            return None
        account = self.user.username.removeprefix(_ACCOUNT).split(":")
        if not self.user.username.startswith(_ACCOUNT) or len(account) != _PARTS_OF_ACCOUNT:
            return None
        part = f"/{target.subresource}" if target.subresource else ""
        asked = Asked(
            self.verb, target.resource + part, target.api_group, target.namespace, target.name
        )
        return kube("ServiceAccount", *account), asked

    def said(self) -> Iterator[Said]:
        answer = self.response_status
        if answer and answer.code == _FORBIDDEN and answer.message:
            at = self.request_received_timestamp or ""
            yield Said("responseStatus.message", answer.message, at)


def why_refused(account: Ref, asked: Asked, snapshot: "Snapshot") -> str:
    """What is missing: a binding, or a right in the role that is bound; empty if nobody looked."""
    if not (
        _were_read(RoleBinding, asked.namespace, snapshot)
        and snapshot.has_seen(ClusterRoleBinding.kind)
    ):
        return ""
    local = snapshot.grouped(RoleBinding, "namespace", asked.namespace)
    bindings: list[Binding] = sorted([*local, *_of_cluster(snapshot)], key=lambda one: one.ref)
    mine = [one for one in bindings if account in one.accounts]
    for binding in mine:
        if lack := _lack(binding, asked, snapshot):
            return lack
    if mine:
        return (
            f"{mine[0].kind} {mine[0].name} binds {mine[0].role_ref.name}, which does not allow it"
        )
    others = (
        (one, other) for one in bindings for other in one.accounts if other.name == account.name
    )
    for binding, other in others:
        return f"{binding.kind} {binding.name} names {other.namespace}/{other.name} instead"
    return "no binding names it"


def _were_read(kind: type[Binding], namespace: str, snapshot: "Snapshot") -> bool:
    return not namespace or snapshot.has_seen(kind.kind, namespace)


def _of_cluster(snapshot: "Snapshot") -> tuple[ClusterRoleBinding, ...]:
    return snapshot.grouped(ClusterRoleBinding, "namespace", "")


def _lack(binding: Binding, asked: Asked, snapshot: "Snapshot") -> str:
    role = snapshot.find(binding.role)
    if not isinstance(role, Role | ClusterRole):
        return ""
    near = [rule for rule in role.rules or () if rule.covers(asked)]
    if not near or any(rule.allows(asked) for rule in near):
        return ""
    verbs = ", ".join(dict.fromkeys(verb for rule in near for verb in rule.verbs or ()))
    return f"{role.kind} {role.name}, bound by {binding.name}, allows {verbs} and not {asked.verb}"


def is_used(account: Ref, snapshot: "Snapshot") -> bool:
    """Whether a pod runs as a service account; bindings of accounts that nobody uses do no harm."""
    if account in snapshot.once(_used_accounts):
        return True
    snapshot.require(Pod, account.namespace)
    return False


def _used_accounts(snapshot: "Snapshot") -> frozenset[Ref]:
    if not snapshot.holds(Pod.kind):
        return frozenset()
    return frozenset(
        kube("ServiceAccount", pod.namespace, pod.spec.service_account_name)
        for pod in snapshot.some(Pod)
        if pod.spec.service_account_name
    )
