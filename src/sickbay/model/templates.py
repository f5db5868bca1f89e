"""The parts of a workload's specification: the template of its pods, and how they are replaced."""

import msgspec

from sickbay.model.entity import Metadata, Shape
from sickbay.model.pod_parts import (
    Container,
    NameSource,
    Resources,
    UserContext,
    Variable,
    Volume,
)


class Named(Shape, frozen=True, gc=False):
    """A part of which only its kind or its presence matters."""

    type: str | None = None


class Capabilities(Shape, frozen=True, gc=False):
    add: list[str] | None = None
    drop: list[str] | None = None


class SecurityContext(UserContext, frozen=True, gc=False):
    """What a pod or a container may do on its node; each has only some of the fields."""

    privileged: bool | None = None
    allow_privilege_escalation: bool | None = None
    capabilities: Capabilities | None = None
    seccomp_profile: Named | None = None
    proc_mount: str | None = None


class KeyPath(Shape, frozen=True, gc=False):
    key: str = ""
    path: str = ""


class MapSource(NameSource, frozen=True, gc=False):
    items: list[KeyPath] | None = None


class TemplateVolume(Volume, frozen=True, gc=False):
    config_map: MapSource | None = None


class VolumeMount(Shape, frozen=True, gc=False):
    name: str = ""
    sub_path: str | None = None


class TemplateVariable(Variable, frozen=True, gc=False):
    value: str | None = None


class TemplateContainer(Container, frozen=True, gc=False):
    env: list[TemplateVariable] | None = None
    volume_mounts: list[VolumeMount] | None = None
    security_context: SecurityContext | None = None


class HostAlias(Shape, frozen=True, gc=False):
    hostnames: list[str] | None = None


class TemplateSpec(Shape, frozen=True, gc=False):
    containers: list[TemplateContainer] = []
    init_containers: list[TemplateContainer] | None = None
    volumes: list[TemplateVolume] | None = None
    service_account_name: str | None = None
    priority_class_name: str | None = None
    runtime_class_name: str | None = None
    os: NameSource | None = None
    security_context: SecurityContext | None = None
    host_network: bool | None = None
    host_aliases: list[HostAlias] | None = None
    host_ipc: bool | None = msgspec.field(default=None, name="hostIPC")
    host_pid: bool | None = msgspec.field(default=None, name="hostPID")


class ClaimTemplateSpec(Shape, frozen=True, gc=False):
    storage_class_name: str | None = None
    access_modes: list[str] | None = None
    resources: Resources | None = None

    def asked(self, resource: str) -> str | int | float | None:
        return ((self.resources and self.resources.requests) or {}).get(resource)


class ClaimTemplate(Shape, frozen=True, gc=False):
    metadata: Metadata = Metadata()
    spec: ClaimTemplateSpec = ClaimTemplateSpec()


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
