"""Kubernetes objects around pods: what runs them, exposes them, stores for them and guards them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import msgspec

from sickbay.model import addons as addons  # noqa: PLC0414 - its kinds come with these
from sickbay.model.affinity import LabelRequirement as LabelRequirement  # noqa: PLC0414 - handed on
from sickbay.model.affinity import LabelSelector as LabelSelector  # noqa: PLC0414 - handed on
from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.guards import ResourceQuota
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, Pod, condition_of, conditions_said
from sickbay.model.service_parts import IngressBackend as IngressBackend  # noqa: PLC0414 - handed on
from sickbay.model.service_parts import IngressService as IngressService  # noqa: PLC0414 - handed on
from sickbay.model.service_parts import IngressSpec as IngressSpec  # noqa: PLC0414 - handed on
from sickbay.model.service_parts import IngressStatus, ServiceStatus
from sickbay.model.service_parts import ServicePort as ServicePort  # noqa: PLC0414 - handed on
from sickbay.model.service_parts import ServiceSpec as ServiceSpec  # noqa: PLC0414 - handed on
from sickbay.model.templates import ClaimTemplate, JobSpec, MetricSpec, PodTemplate, Strategy

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class PdbSpec(Shape, frozen=True, gc=False):
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    selector: LabelSelector | None = None
    unhealthy_pod_eviction_policy: str | None = None


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

    @property
    def in_words(self) -> str:
        least, most = self.spec.min_available, self.spec.max_unavailable
        return f"maxUnavailable {most}" if least is None else f"minAvailable {least}"

    @property
    def lets_unready_go(self) -> bool:
        """Whether pods that are not ready may be evicted: always, or while enough others are."""
        if self.spec.unhealthy_pod_eviction_policy == "AlwaysAllow":
            return True
        return (self.status.current_healthy or 0) >= (self.status.desired_healthy or 0)

    def guarded(self, snapshot: "Snapshot") -> Iterator[Pod]:
        """The pods in evidence that it is over."""
        selector = self.spec.selector
        if selector is not None:
            for pod in snapshot.labelled(Pod, self.namespace, selector.match_labels or {}):
                if selector.selects(pod.labels):
                    yield pod

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        return (pod.ref for pod in self.guarded(snapshot))


class WorkloadSpec(Shape, frozen=True, gc=False):
    replicas: int | None = None
    selector: LabelSelector | None = None
    # Of a StatefulSet: the headless service that gives its pods their names.
    service_name: str | None = None
    pod_management_policy: str | None = None
    strategy: Strategy | None = None
    template: PodTemplate | None = None
    paused: bool | None = None
    # Of a StatefulSet: the claims that it makes for each of its pods.
    volume_claim_templates: list[ClaimTemplate] | None = None


class WorkloadStatus(Shape, frozen=True, gc=False):
    observed_generation: int | None = None
    replicas: int | None = None
    ready_replicas: int | None = None
    available_replicas: int | None = None
    unavailable_replicas: int | None = None
    updated_replicas: int | None = None
    desired_number_scheduled: int | None = None
    current_number_scheduled: int | None = None
    number_ready: int | None = None
    # Of a StatefulSet: the revision that its pods should come to.
    update_revision: str | None = None
    conditions: list[Condition] | None = None


class Workload(KubeEntity, frozen=True, gc=False):
    """What Deployments, StatefulSets, DaemonSets and ReplicaSets share."""

    spec: WorkloadSpec = WorkloadSpec()
    status: WorkloadStatus = WorkloadStatus()

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002 - sets use it
        if self.owner:
            yield kube(self.owner.kind, self.namespace, self.owner.name)

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

    @property
    def is_refused(self) -> bool:
        """Whether the API server refuses its pods."""
        failure = condition_of(self.status.conditions, "ReplicaFailure")
        return failure is not None and failure.is_true

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        yield from Workload.links(self, snapshot)
        # A quota decides how many of its pods may be there.
        for quota in snapshot.in_namespace(ResourceQuota, self.namespace):
            yield quota.ref


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

    spec: JobSpec = JobSpec()
    status: JobStatus = JobStatus()

    @property
    def failure(self) -> Condition | None:
        failed = condition_of(self.status.conditions, "Failed")
        return failed if failed and failed.is_true else None

    @property
    def is_complete(self) -> bool:
        done = condition_of(self.status.conditions, "Complete")
        return done is not None and done.is_true

    def is_made_good(self, snapshot: "Snapshot") -> bool:
        """Whether a later run of the same schedule has succeeded."""
        began = self.metadata.creation_timestamp or ""
        if self.owner is None or self.owner.kind != "CronJob" or not began:
            return False
        plan = snapshot.find(kube("CronJob", self.namespace, self.owner.name))
        if isinstance(plan, addons.CronJob) and (plan.status.last_successful_time or "") > began:
            return True
        return any(
            job.is_complete and (job.metadata.creation_timestamp or "") > began
            for job in snapshot.in_namespace(Job, self.namespace)
            if job.owner is not None and job.owner.name == self.owner.name
        )

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.owner:
            yield kube(self.owner.kind, self.namespace, self.owner.name)


class ScaleTarget(Shape, frozen=True, gc=False):
    kind: str = ""
    name: str = ""


class AutoscalerSpec(Shape, frozen=True, gc=False):
    scale_target_ref: ScaleTarget | None = None
    min_replicas: int | None = None
    max_replicas: int | None = None
    metrics: list[MetricSpec] | None = None
    # How the first version of the API says it.
    target_cpu_utilization_percentage: int | None = msgspec.field(
        default=None, name="targetCPUUtilizationPercentage"
    )


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


class Ingress(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Ingress"
    look: ClassVar[str] = "kubectl get ingress -A -o json"

    spec: IngressSpec = IngressSpec()
    status: IngressStatus = IngressStatus()

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
