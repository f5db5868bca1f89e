"""Kubernetes objects that bring traffic to pods: slices of endpoints, gateways and routes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.gateway_parts import (
    GatewayClassSpec,
    GatewaySpec,
    GatewayStatus,
    GrantSpec,
    RouteSpec,
    RouteStatus,
    StatusConditions,
)
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, condition_of, conditions_said
from sickbay.model.node import OnNode

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

SERVICE_OF_SLICE: Final = "kubernetes.io/service-name"
GATEWAY_GROUP: Final = "gateway.networking.k8s.io"


class TargetRef(Shape, frozen=True, gc=False):
    kind: str = ""
    namespace: str = ""
    name: str = ""


class EndpointConditions(Shape, frozen=True, gc=False):
    ready: bool | None = None
    serving: bool | None = None
    terminating: bool | None = None


class Endpoint(Shape, frozen=True, gc=False):
    addresses: list[str] | None = None
    conditions: EndpointConditions | None = None
    node_name: str | None = None
    target_ref: TargetRef | None = None


class EndpointPort(Shape, frozen=True, gc=False):
    name: str | None = None
    port: int | None = None
    protocol: str | None = None


class EndpointSlice(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "EndpointSlice"
    look: ClassVar[str] = "kubectl get endpointslices -A -o json"

    address_type: str | None = None
    endpoints: list[Endpoint] | None = None
    ports: list[EndpointPort] | None = None

    @property
    def service(self) -> str:
        """The namespace and name of the service that it belongs to, or an empty string."""
        name = self.labels.get(SERVICE_OF_SLICE, "")
        return f"{self.namespace}/{name}" if name else ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if name := self.labels.get(SERVICE_OF_SLICE):
            yield kube("Service", self.namespace, name)


class EndpointAddress(Shape, frozen=True, gc=False):
    ip: str | None = None
    node_name: str | None = None
    target_ref: TargetRef | None = None


class EndpointSubset(Shape, frozen=True, gc=False):
    addresses: list[EndpointAddress] | None = None
    not_ready_addresses: list[EndpointAddress] | None = None
    ports: list[EndpointPort] | None = None


class Endpoints(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Endpoints"
    look: ClassVar[str] = "kubectl get endpoints -A -o json"

    subsets: list[EndpointSubset] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield kube("Service", self.namespace, self.name)


class IngressClassSpec(Shape, frozen=True, gc=False):
    controller: str | None = None


class IngressClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "IngressClass"
    look: ClassVar[str] = "kubectl get ingressclasses -o json"

    spec: IngressClassSpec = IngressClassSpec()

    @property
    def is_default(self) -> bool:
        return self.annotations.get("ingressclass.kubernetes.io/is-default-class") == "true"


class GatewayClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "GatewayClass"
    look: ClassVar[str] = "kubectl get gatewayclasses -o json"
    group: ClassVar[str] = GATEWAY_GROUP

    spec: GatewayClassSpec = GatewayClassSpec()
    status: StatusConditions = StatusConditions()


class Gateway(KubeEntity, frozen=True, gc=False):
    """The gateway of the Gateway API; that of Istio has its own group."""

    kind: ClassVar[str] = "Gateway"
    look: ClassVar[str] = "kubectl get gateways.gateway.networking.k8s.io -A -o json"
    group: ClassVar[str] = GATEWAY_GROUP

    spec: GatewaySpec = GatewaySpec()
    status: GatewayStatus = GatewayStatus()

    def condition(self, type: str) -> Condition | None:
        return condition_of(self.status.conditions, type)

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.spec.gateway_class_name:
            yield kube("GatewayClass", "", self.spec.gateway_class_name)


class IstioGateway(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Gateway.networking.istio.io"
    look: ClassVar[str] = "kubectl get gateways.networking.istio.io -A -o json"
    group: ClassVar[str] = "networking.istio.io"


class KnativeService(KubeEntity, frozen=True, gc=False):
    """Has a Service of the same name, which is another thing."""

    kind: ClassVar[str] = "Service.serving.knative.dev"
    look: ClassVar[str] = "kubectl get services.serving.knative.dev -A -o json"
    group: ClassVar[str] = "serving.knative.dev"


class GatewayRoute(KubeEntity, frozen=True, gc=False):
    """What the routes of the Gateway API share."""

    group: ClassVar[str] = GATEWAY_GROUP

    spec: RouteSpec = RouteSpec()
    status: RouteStatus = RouteStatus()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for rule in self.spec.rules or ():
            for backend in rule.backend_refs or ():
                if (backend.kind or "Service") == "Service":
                    yield kube("Service", backend.namespace or self.namespace, backend.name)


class HTTPRoute(GatewayRoute, frozen=True, gc=False):
    kind: ClassVar[str] = "HTTPRoute"
    look: ClassVar[str] = "kubectl get httproutes -A -o json"


class GRPCRoute(GatewayRoute, frozen=True, gc=False):
    kind: ClassVar[str] = "GRPCRoute"
    look: ClassVar[str] = "kubectl get grpcroutes -A -o json"


class TCPRoute(GatewayRoute, frozen=True, gc=False):
    kind: ClassVar[str] = "TCPRoute"
    look: ClassVar[str] = "kubectl get tcproutes -A -o json"


class ReferenceGrant(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ReferenceGrant"
    look: ClassVar[str] = "kubectl get referencegrants -A -o json"
    group: ClassVar[str] = GATEWAY_GROUP

    spec: GrantSpec = GrantSpec()


class HeldService(Shape, frozen=True, gc=False):
    """One address and port of a service in the rules of a node."""

    address: str = ""
    port: int = 0
    protocol: str = "TCP"
    # As kube-proxy writes it: `NAMESPACE/NAME` or `NAMESPACE/NAME:PORT-NAME`.
    name: str = ""
    backends: list[str] = []
    is_rejected: bool = False


class NatRules(OnNode, frozen=True, gc=False):
    """What the rules of a node's kernel do with the addresses of services.

    `program` is what wrote the listing; `is_whole` says that every service would be in it.
    """

    kind: ClassVar[str] = "nat-rules"
    look: ClassVar[str] = (
        "kubectl debug node/<node> -it --image=<image> -- chroot /host iptables-save"
    )

    program: str = ""
    is_whole: bool = False
    services: list[HeldService] = []

    @property
    def ref(self) -> Ref:
        # A node has rules for both families, and may have been asked by several programs.
        return Ref(self.kind, f"{self.kind}/{self.whose}/{self.program}")
