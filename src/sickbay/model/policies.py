"""Kubernetes objects that say which traffic may pass: network policies of all kinds.

The specification of a policy is kept as it was written and read strictly when it is asked for: one
member that is dropped or guessed would turn a policy into another one.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from sickbay.model.entity import KubeEntity, spelled
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Pod

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

ADMIN_GROUP = "policy.networking.k8s.io"
S = TypeVar("S", bound=msgspec.Struct)


class PolicyShape(
    msgspec.Struct, frozen=True, gc=False, rename=spelled, forbid_unknown_fields=True
):
    """A part of a policy; a member that is not known here makes the policy one we cannot read."""


class Requirement(PolicyShape, frozen=True, gc=False):
    key: str
    operator: str
    values: list[str] | None = None


class PolicySelector(PolicyShape, frozen=True, gc=False):
    match_labels: dict[str, str] | None = None
    match_expressions: list[Requirement] | None = None


class IpBlock(PolicyShape, frozen=True, gc=False):
    cidr: str
    except_: list[str] | None = None


class PolicyPeer(PolicyShape, frozen=True, gc=False):
    pod_selector: PolicySelector | None = None
    namespace_selector: PolicySelector | None = None
    ip_block: IpBlock | None = None


class PolicyPort(PolicyShape, frozen=True, gc=False):
    protocol: str | None = None
    port: int | str | None = None
    end_port: int | None = None


class PolicyRule(PolicyShape, frozen=True, gc=False):
    from_: list[PolicyPeer] | None = None
    to: list[PolicyPeer] | None = None
    ports: list[PolicyPort] | None = None


class PolicySpec(PolicyShape, frozen=True, gc=False):
    pod_selector: PolicySelector | None = None
    policy_types: list[str] | None = None
    ingress: list[PolicyRule | None] | None = None
    egress: list[PolicyRule | None] | None = None


class NamespacedPods(PolicyShape, frozen=True, gc=False):
    namespace_selector: PolicySelector | None = None
    pod_selector: PolicySelector | None = None


class AdminPeer(PolicyShape, frozen=True, gc=False):
    namespaces: PolicySelector | None = None
    pods: NamespacedPods | None = None
    nodes: PolicySelector | None = None
    networks: list[str] | None = None
    domain_names: list[str] | None = None


class AdminPortNumber(PolicyShape, frozen=True, gc=False):
    port: int
    protocol: str | None = None


class AdminPortRange(PolicyShape, frozen=True, gc=False):
    start: int
    end: int
    protocol: str | None = None


class AdminPort(PolicyShape, frozen=True, gc=False):
    port_number: AdminPortNumber | None = None
    port_range: AdminPortRange | None = None
    named_port: str | None = None


class NumberRange(PolicyShape, frozen=True, gc=False):
    start: int
    end: int


class DestinationPort(PolicyShape, frozen=True, gc=False):
    number: int | None = None
    range: NumberRange | None = None


class ProtocolPorts(PolicyShape, frozen=True, gc=False):
    destination_port: DestinationPort | None = None


class AdminProtocol(PolicyShape, frozen=True, gc=False):
    tcp: ProtocolPorts | None = None
    udp: ProtocolPorts | None = None
    sctp: ProtocolPorts | None = None
    destination_named_port: str | None = None


class AdminRule(PolicyShape, frozen=True, gc=False):
    action: str
    name: str | None = None
    from_: list[AdminPeer] | None = None
    to: list[AdminPeer] | None = None
    ports: list[AdminPort] | None = None
    protocols: list[AdminProtocol] | None = None


class AdminSubject(PolicyShape, frozen=True, gc=False):
    namespaces: PolicySelector | None = None
    pods: NamespacedPods | None = None


class AdminSpec(PolicyShape, frozen=True, gc=False):
    subject: AdminSubject
    priority: int | None = None
    tier: str | None = None
    ingress: list[AdminRule] | None = None
    egress: list[AdminRule] | None = None


class WhomOnly(msgspec.Struct, frozen=True, gc=False, rename=spelled):
    """Whom a policy is about and which way, for one whose other parts make no sense."""

    pod_selector: PolicySelector | None = None
    policy_types: list[str] | None = None
    egress: Any = None
    subject: AdminSubject | None = None


class Policy(KubeEntity, frozen=True, gc=False):
    """What all kinds of policies have in common."""

    spec: Any = None

    def read(self, shape: type[S]) -> S | str:
        """The specification, or what is wrong with it."""
        try:
            return msgspec.convert(self.spec if self.spec is not None else {}, shape)
        except msgspec.ValidationError as error:
            return str(error)


class NetworkPolicy(Policy, frozen=True, gc=False):
    kind: ClassVar[str] = "NetworkPolicy"
    group: ClassVar[str] = "networking.k8s.io"
    look: ClassVar[str] = "kubectl get networkpolicies -A -o json"

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        """Its namespace, and the pods that it selects by equal labels."""
        yield kube("Namespace", "", self.namespace)
        spec = self.read(PolicySpec)
        selector = None if isinstance(spec, str) else spec.pod_selector
        if selector and not selector.match_expressions:
            for pod in snapshot.labelled(Pod, self.namespace, selector.match_labels or {}):
                yield pod.ref


class AdminNetworkPolicy(Policy, frozen=True, gc=False):
    kind: ClassVar[str] = "AdminNetworkPolicy"
    group: ClassVar[str] = ADMIN_GROUP
    look: ClassVar[str] = "kubectl get adminnetworkpolicies -o json"


class BaselineAdminNetworkPolicy(Policy, frozen=True, gc=False):
    kind: ClassVar[str] = "BaselineAdminNetworkPolicy"
    group: ClassVar[str] = ADMIN_GROUP
    look: ClassVar[str] = "kubectl get baselineadminnetworkpolicies -o json"


class ClusterNetworkPolicy(Policy, frozen=True, gc=False):
    kind: ClassVar[str] = "ClusterNetworkPolicy"
    group: ClassVar[str] = ADMIN_GROUP
    look: ClassVar[str] = "kubectl get clusternetworkpolicies -o json"


class CiliumPolicy(Policy, frozen=True, gc=False):
    """A policy that only Cilium enforces; it is recognised, not evaluated."""

    specs: Any = None


class CiliumNetworkPolicy(CiliumPolicy, frozen=True, gc=False):
    kind: ClassVar[str] = "CiliumNetworkPolicy"
    look: ClassVar[str] = "kubectl get ciliumnetworkpolicies -A -o json"


class CiliumClusterwideNetworkPolicy(CiliumPolicy, frozen=True, gc=False):
    kind: ClassVar[str] = "CiliumClusterwideNetworkPolicy"
    look: ClassVar[str] = "kubectl get ciliumclusterwidenetworkpolicies -o json"


class CalicoPolicy(Policy, frozen=True, gc=False):
    """A policy that only Calico enforces; it is recognised, not evaluated.

    Staged ones have kinds of their own, are enforced by nobody, and are no policies here.
    """


class CalicoNetworkPolicy(CalicoPolicy, frozen=True, gc=False):
    kind: ClassVar[str] = "NetworkPolicy.projectcalico.org"
    group: ClassVar[str] = "projectcalico.org"
    look: ClassVar[str] = "kubectl get networkpolicies.projectcalico.org -A -o json"


class CalicoStoredNetworkPolicy(CalicoPolicy, frozen=True, gc=False):
    kind: ClassVar[str] = "NetworkPolicy.crd.projectcalico.org"
    group: ClassVar[str] = "crd.projectcalico.org"
    look: ClassVar[str] = "kubectl get networkpolicies.crd.projectcalico.org -A -o json"


class CalicoGlobalNetworkPolicy(CalicoPolicy, frozen=True, gc=False):
    kind: ClassVar[str] = "GlobalNetworkPolicy"
    look: ClassVar[str] = "kubectl get globalnetworkpolicies -o json"
