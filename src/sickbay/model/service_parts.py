"""The parts of services and ingresses that rules and evaluators read."""

from sickbay.model.entity import Shape
from sickbay.model.kubernetes import Condition


class ServicePort(Shape, frozen=True, gc=False):
    name: str | None = None
    port: int | None = None
    protocol: str | None = None
    target_port: int | str | None = None
    node_port: int | None = None
    app_protocol: str | None = None


class ServiceSpec(Shape, frozen=True, gc=False):
    type: str | None = None
    selector: dict[str, str] | None = None
    ports: list[ServicePort] | None = None
    cluster_ip: str | None = None
    cluster_ips: list[str] | None = None
    external_ips: list[str] | None = None
    ip_families: list[str] | None = None
    external_name: str | None = None
    external_traffic_policy: str | None = None
    internal_traffic_policy: str | None = None
    health_check_node_port: int | None = None
    allocate_load_balancer_node_ports: bool | None = None
    load_balancer_source_ranges: list[str] | None = None
    load_balancer_ip: str | None = None
    load_balancer_class: str | None = None
    session_affinity: str | None = None
    publish_not_ready_addresses: bool | None = None

    @property
    def is_headless(self) -> bool:
        """Whether it has no address of its own: its name answers with the pods' addresses."""
        return (self.cluster_ip or "").casefold() == "none"


class LoadBalancerAddress(Shape, frozen=True, gc=False):
    ip: str | None = None
    hostname: str | None = None


class LoadBalancerStatus(Shape, frozen=True, gc=False):
    ingress: list[LoadBalancerAddress] | None = None


class ServiceStatus(Shape, frozen=True, gc=False):
    load_balancer: LoadBalancerStatus | None = None
    conditions: list[Condition] | None = None


class IngressPort(Shape, frozen=True, gc=False):
    name: str | None = None
    number: int | None = None


class IngressService(Shape, frozen=True, gc=False):
    name: str = ""
    port: IngressPort | None = None


class IngressResource(Shape, frozen=True, gc=False):
    kind: str = ""
    name: str = ""


class IngressBackend(Shape, frozen=True, gc=False):
    service: IngressService | None = None
    resource: IngressResource | None = None


class IngressPath(Shape, frozen=True, gc=False):
    path: str | None = None
    path_type: str | None = None
    backend: IngressBackend | None = None


class IngressHttp(Shape, frozen=True, gc=False):
    paths: list[IngressPath] | None = None


class IngressRule(Shape, frozen=True, gc=False):
    host: str | None = None
    http: IngressHttp | None = None


class IngressTls(Shape, frozen=True, gc=False):
    hosts: list[str] | None = None
    secret_name: str | None = None


class IngressSpec(Shape, frozen=True, gc=False):
    ingress_class_name: str | None = None
    default_backend: IngressBackend | None = None
    rules: list[IngressRule] | None = None
    tls: list[IngressTls] | None = None


class IngressStatus(Shape, frozen=True, gc=False):
    load_balancer: LoadBalancerStatus | None = None
