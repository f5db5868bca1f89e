"""The parts of a workload's specification: the template of its pods, and how they are replaced."""

from sickbay.model.entity import Shape
from sickbay.model.kubernetes import ContainerPort, Resources, Volume


class ProbePort(Shape, frozen=True, gc=False):
    port: int | str | None = None


class Probe(Shape, frozen=True, gc=False):
    http_get: ProbePort | None = None
    tcp_socket: ProbePort | None = None

    @property
    def port(self) -> int | str | None:
        asked = self.http_get or self.tcp_socket
        return asked.port if asked else None


class TemplateContainer(Shape, frozen=True, gc=False):
    name: str = ""
    ports: list[ContainerPort] | None = None
    resources: Resources | None = None
    liveness_probe: Probe | None = None
    readiness_probe: Probe | None = None
    startup_probe: Probe | None = None

    @property
    def probes(self) -> dict[str, Probe]:
        """The probes by their name in the specification."""
        known = {
            "livenessProbe": self.liveness_probe,
            "readinessProbe": self.readiness_probe,
            "startupProbe": self.startup_probe,
        }
        return {name: probe for name, probe in known.items() if probe}


class TemplateSpec(Shape, frozen=True, gc=False):
    containers: list[TemplateContainer] = []
    volumes: list[Volume] | None = None
    service_account_name: str | None = None
    priority_class_name: str | None = None


class PodTemplate(Shape, frozen=True, gc=False):
    spec: TemplateSpec = TemplateSpec()


class Strategy(Shape, frozen=True, gc=False):
    type: str | None = None


class MetricTarget(Shape, frozen=True, gc=False):
    type: str | None = None


class ResourceMetric(Shape, frozen=True, gc=False):
    name: str = ""
    target: MetricTarget | None = None


class MetricSpec(Shape, frozen=True, gc=False):
    type: str | None = None
    resource: ResourceMetric | None = None


class JobSpec(Shape, frozen=True, gc=False):
    backoff_limit: int | None = None
    active_deadline_seconds: int | None = None
    suspend: bool | None = None
