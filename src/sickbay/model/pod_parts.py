"""The parts of a pod's containers and volumes."""

from collections.abc import Iterator, Sequence

from sickbay.model.entity import Shape


class Resources(Shape, frozen=True, gc=False):
    requests: dict[str, str | int | float] | None = None
    limits: dict[str, str | int | float] | None = None


class ContainerPort(Shape, frozen=True, gc=False):
    container_port: int | None = None
    host_port: int | None = None
    name: str | None = None
    protocol: str | None = None


class KeySource(Shape, frozen=True, gc=False):
    """An entry of a config map or secret, or all of them where there is no key."""

    name: str | None = None
    key: str | None = None
    optional: bool | None = None


class ValueSource(Shape, frozen=True, gc=False):
    config_map_key_ref: KeySource | None = None
    secret_key_ref: KeySource | None = None


class Variable(Shape, frozen=True, gc=False):
    name: str = ""
    value_from: ValueSource | None = None


class VariablesFrom(Shape, frozen=True, gc=False):
    config_map_ref: KeySource | None = None
    secret_ref: KeySource | None = None


class ProbePort(Shape, frozen=True, gc=False):
    port: int | str | None = None


class Probe(Shape, frozen=True, gc=False):
    http_get: ProbePort | None = None
    tcp_socket: ProbePort | None = None
    grpc: ProbePort | None = None

    @property
    def port(self) -> int | str | None:
        asked = self.http_get or self.tcp_socket or self.grpc
        return asked.port if asked else None

    @property
    def number(self) -> int | None:
        """The port, unless it is told by a name."""
        port = self.port
        return int(port) if port is not None and str(port).isdecimal() else None


class UserContext(Shape, frozen=True, gc=False):
    run_as_non_root: bool | None = None
    run_as_user: int | None = None


class Hook(Shape, frozen=True, gc=False):
    """A lifecycle hook, of which only is told that it is there."""


class Lifecycle(Shape, frozen=True, gc=False):
    post_start: Hook | None = None


class Container(Shape, frozen=True, gc=False):
    name: str = ""
    image: str | None = None
    resources: Resources | None = None
    ports: list[ContainerPort] | None = None
    env: Sequence[Variable] | None = None
    env_from: list[VariablesFrom] | None = None
    liveness_probe: Probe | None = None
    readiness_probe: Probe | None = None
    startup_probe: Probe | None = None
    security_context: UserContext | None = None
    lifecycle: Lifecycle | None = None
    # `Always` makes an init container a sidecar, which runs as long as the pod.
    restart_policy: str | None = None

    @property
    def probes(self) -> dict[str, Probe]:
        """The probes by their name in the specification."""
        known = {
            "livenessProbe": self.liveness_probe,
            "readinessProbe": self.readiness_probe,
            "startupProbe": self.startup_probe,
        }
        return {name: probe for name, probe in known.items() if probe}

    @property
    def sources(self) -> Iterator[tuple[str, KeySource]]:
        """What its environment is taken from, each with the kind of the object."""
        for variable in self.env or ():
            if variable.value_from and variable.value_from.config_map_key_ref:
                yield "ConfigMap", variable.value_from.config_map_key_ref
            if variable.value_from and variable.value_from.secret_key_ref:
                yield "Secret", variable.value_from.secret_key_ref
        for whole in self.env_from or ():
            if whole.config_map_ref:
                yield "ConfigMap", whole.config_map_ref
            if whole.secret_ref:
                yield "Secret", whole.secret_ref


class Toleration(Shape, frozen=True, gc=False):
    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None


class ClaimSource(Shape, frozen=True, gc=False):
    claim_name: str = ""


class NameSource(Shape, frozen=True, gc=False):
    name: str | None = None
    secret_name: str | None = None
    optional: bool | None = None


class DriverAttributes(Shape, frozen=True, gc=False):
    secret_provider_class: str | None = None


class DriverSource(Shape, frozen=True, gc=False):
    """A volume that a driver makes for this pod alone."""

    driver: str = ""
    volume_attributes: DriverAttributes | None = None


class HostPath(Shape, frozen=True, gc=False):
    path: str = ""


class Volume(Shape, frozen=True, gc=False):
    name: str = ""
    csi: DriverSource | None = None
    host_path: HostPath | None = None
    persistent_volume_claim: ClaimSource | None = None
    config_map: NameSource | None = None
    secret: NameSource | None = None
