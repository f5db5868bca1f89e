"""Kubernetes objects around pods: what runs them, exposes them, stores for them and guards them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, Pod, condition_of, conditions_said

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class LabelRequirement(Shape, frozen=True, gc=False):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class LabelSelector(Shape, frozen=True, gc=False):
    match_labels: dict[str, str] | None = None
    match_expressions: list[LabelRequirement] | None = None

    def selects(self, labels: dict[str, str]) -> bool:
        if any(labels.get(key) != value for key, value in (self.match_labels or {}).items()):
            return False
        return all(_meets(need, labels) for need in self.match_expressions or ())


def _meets(need: LabelRequirement, labels: dict[str, str]) -> bool:
    value = labels.get(need.key)
    match need.operator:
        case "In":
            return value in (need.values or ())
        case "NotIn":
            return value not in (need.values or ())
        case "Exists":
            return need.key in labels
        case "DoesNotExist":
            return need.key not in labels
        case _:
            return False


class PdbSpec(Shape, frozen=True, gc=False):
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    selector: LabelSelector | None = None


class PdbStatus(Shape, frozen=True, gc=False):
    disruptions_allowed: int | None = None
    current_healthy: int | None = None
    desired_healthy: int | None = None
    expected_pods: int | None = None


class PodDisruptionBudget(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "PodDisruptionBudget"
    look: ClassVar[str] = "kubectl get pdb -A -o json"

    spec: PdbSpec = PdbSpec()
    status: PdbStatus = PdbStatus()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        selector = self.spec.selector
        if selector is not None:
            for pod in snapshot.labelled(Pod, self.namespace, selector.match_labels or {}):
                if selector.selects(pod.labels):
                    yield pod.ref


class WorkloadSpec(Shape, frozen=True, gc=False):
    replicas: int | None = None
    selector: LabelSelector | None = None


class WorkloadStatus(Shape, frozen=True, gc=False):
    replicas: int | None = None
    ready_replicas: int | None = None
    available_replicas: int | None = None
    unavailable_replicas: int | None = None
    updated_replicas: int | None = None
    desired_number_scheduled: int | None = None
    number_ready: int | None = None
    conditions: list[Condition] | None = None


class Workload(KubeEntity, frozen=True, gc=False):
    """What Deployments, StatefulSets, DaemonSets and ReplicaSets share."""

    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)


class Deployment(Workload, frozen=True, gc=False):
    kind: ClassVar[str] = "Deployment"
    look: ClassVar[str] = "kubectl get deployments -A -o json"


class StatefulSet(Workload, frozen=True, gc=False):
    kind: ClassVar[str] = "StatefulSet"
    look: ClassVar[str] = "kubectl get statefulsets -A -o json"


class DaemonSet(Workload, frozen=True, gc=False):
    kind: ClassVar[str] = "DaemonSet"
    look: ClassVar[str] = "kubectl get daemonsets -A -o json"


class ReplicaSet(Workload, frozen=True, gc=False):
    kind: ClassVar[str] = "ReplicaSet"
    look: ClassVar[str] = "kubectl get replicasets -A -o json"


class ServicePort(Shape, frozen=True, gc=False):
    name: str | None = None
    port: int | None = None
    protocol: str | None = None
    target_port: int | str | None = None
    node_port: int | None = None


class ServiceSpec(Shape, frozen=True, gc=False):
    type: str | None = None
    selector: dict[str, str] | None = None
    ports: list[ServicePort] | None = None
    cluster_ip: str | None = None
    external_name: str | None = None
    external_traffic_policy: str | None = None
    publish_not_ready_addresses: bool | None = None


class LoadBalancerAddress(Shape, frozen=True, gc=False):
    ip: str | None = None
    hostname: str | None = None


class LoadBalancerStatus(Shape, frozen=True, gc=False):
    ingress: list[LoadBalancerAddress] | None = None


class ServiceStatus(Shape, frozen=True, gc=False):
    load_balancer: LoadBalancerStatus | None = None
    conditions: list[Condition] | None = None


class Service(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Service"
    look: ClassVar[str] = "kubectl get services -A -o json"

    spec: ServiceSpec = ServiceSpec()
    status: ServiceStatus = ServiceStatus()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        selector = self.spec.selector
        if selector:
            for pod in snapshot.labelled(Pod, self.namespace, selector):
                yield pod.ref


class JobStatus(Shape, frozen=True, gc=False):
    active: int | None = None
    succeeded: int | None = None
    failed: int | None = None
    conditions: list[Condition] | None = None


class Job(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Job"
    look: ClassVar[str] = "kubectl get jobs -A -o json"

    status: JobStatus = JobStatus()

    @property
    def failure(self) -> Condition | None:
        failed = condition_of(self.status.conditions, "Failed")
        return failed if failed and failed.is_true else None


class ScaleTarget(Shape, frozen=True, gc=False):
    kind: str = ""
    name: str = ""


class AutoscalerSpec(Shape, frozen=True, gc=False):
    scale_target_ref: ScaleTarget | None = None
    min_replicas: int | None = None
    max_replicas: int | None = None


class AutoscalerStatus(Shape, frozen=True, gc=False):
    current_replicas: int | None = None
    desired_replicas: int | None = None
    conditions: list[Condition] | None = None


class HorizontalPodAutoscaler(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "HorizontalPodAutoscaler"
    look: ClassVar[str] = "kubectl get hpa -A -o json"

    spec: AutoscalerSpec = AutoscalerSpec()
    status: AutoscalerStatus = AutoscalerStatus()

    def condition(self, type: str) -> Condition | None:
        return condition_of(self.status.conditions, type)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        target = self.spec.scale_target_ref
        if target:
            yield kube(target.kind, self.namespace, target.name)


class IngressService(Shape, frozen=True, gc=False):
    name: str = ""


class IngressBackend(Shape, frozen=True, gc=False):
    service: IngressService | None = None


class IngressPath(Shape, frozen=True, gc=False):
    path: str | None = None
    backend: IngressBackend | None = None


class IngressHttp(Shape, frozen=True, gc=False):
    paths: list[IngressPath] | None = None


class IngressRule(Shape, frozen=True, gc=False):
    host: str | None = None
    http: IngressHttp | None = None


class IngressSpec(Shape, frozen=True, gc=False):
    default_backend: IngressBackend | None = None
    rules: list[IngressRule] | None = None


class Ingress(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Ingress"
    look: ClassVar[str] = "kubectl get ingress -A -o json"

    spec: IngressSpec = IngressSpec()

    @property
    def services(self) -> list[str]:
        """The names of the services that it sends traffic to, in order."""
        paths = [p for rule in self.spec.rules or () if rule.http for p in rule.http.paths or ()]
        backends = [self.spec.default_backend, *(path.backend for path in paths)]
        named = (backend.service.name for backend in backends if backend and backend.service)
        return list(dict.fromkeys(name for name in named if name))

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        return (kube("Service", self.namespace, name) for name in self.services)


class InvolvedObject(Shape, frozen=True, gc=False):
    kind: str = ""
    namespace: str = ""
    name: str = ""


class EventSource(Shape, frozen=True, gc=False):
    component: str | None = None
    host: str | None = None


class Series(Shape, frozen=True, gc=False):
    count: int | None = None
    last_observed_time: str | None = None


class Event(KubeEntity, frozen=True, gc=False):
    """An event becomes a text about its object; it is not kept as an entity."""

    kind: ClassVar[str] = "Event"
    look: ClassVar[str] = "kubectl get events -A -o json"

    involved_object: InvolvedObject | None = None
    regarding: InvolvedObject | None = None
    reason: str | None = None
    message: str | None = None
    note: str | None = None
    type: str | None = None
    count: int | None = None
    deprecated_count: int | None = None
    first_timestamp: str | None = None
    last_timestamp: str | None = None
    event_time: str | None = None
    series: Series | None = None
