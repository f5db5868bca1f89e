"""Which port of a service some traffic means, and which port of a pod that leads to."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sickbay.model.kubernetes import ContainerPort, Pod
from sickbay.model.service_parts import ServicePort
from sickbay.model.workloads import Service


class Target(NamedTuple):
    """Where traffic for a service is to go on a pod.

    `direct` is the port that the client itself dials on the pod: a headless service translates
    none. 0 is any port.
    """

    port: ServicePort | None
    protocol: str
    direct: int | None = None

    @property
    def meant(self) -> int | str:
        """The target port: a number, or a name that each pod resolves."""
        if self.direct is not None or self.port is None:
            return self.direct or 0
        target = self.port.target_port or self.port.port or 0
        return int(target) if isinstance(target, str) and target.isdecimal() else target


def targets(service: Service, port: int | str | None, protocol: str) -> tuple[Target, ...]:
    """The targets that traffic to a port can mean; without a port, each in turn."""
    asked = int(port) if isinstance(port, str) and port.isdecimal() else port
    if service.spec.is_headless and not isinstance(asked, str):
        return tuple(_direct(service, asked, protocol))
    ports = service.spec.ports or ()
    if asked is None:
        same = [one for one in ports if protocol_of(one) == protocol]
        return tuple(Target(one, protocol_of(one)) for one in same or ports)
    return tuple(
        Target(one, protocol)
        for one in ports
        if protocol_of(one) == protocol and asked in (one.port, one.name)
    )


def _direct(service: Service, asked: int | None, protocol: str) -> Iterator[Target]:
    ports = service.spec.ports or []
    if asked is not None or not ports:
        same = (one for one in ports if one.port == asked and protocol_of(one) == protocol)
        yield Target(next(same, None), protocol, asked or 0)
        return
    for one in ports:
        number = one.target_port if isinstance(one.target_port, int) else None
        yield Target(one, protocol_of(one), number or one.port or 0)


def protocol_of(port: ServicePort | ContainerPort) -> str:
    return (port.protocol or "TCP").upper()


def number_on(pod: Pod, target: Target) -> int | None:
    """The port of a pod that a target means; None when no container has a port of that name."""
    meant = target.meant
    if isinstance(meant, int):
        return meant
    for port in declared(pod):
        if port.name == meant and protocol_of(port) == target.protocol:
            return port.container_port
    return None


def declared(pod: Pod) -> Iterator[ContainerPort]:
    """The ports that the containers of a pod declare; those of sidecars come last."""
    sidecars = (one for one in pod.spec.init_containers or () if one.restart_policy == "Always")
    for container in (*pod.spec.containers, *sidecars):
        yield from container.ports or ()


def is_undeclared(pod: Pod, number: int, protocol: str) -> bool:
    """Whether a pod declares ports, and not this one."""
    ports = [one for one in declared(pod) if one.container_port]
    return bool(number and ports) and not any(
        one.container_port == number and protocol_of(one) == protocol for one in ports
    )


def spelled(ports: Iterable[ContainerPort]) -> str:
    """Ports as a reader knows them: `80 (http), 53/UDP`."""
    words = {
        f"{one.container_port}"
        f"{'' if protocol_of(one) == 'TCP' else '/' + protocol_of(one)}"
        f"{f' ({one.name})' if one.name else ''}"
        for one in ports
        if one.container_port
    }
    return ", ".join(sorted(words)) or "none"


def offered(service: Service) -> str:
    """The ports of a service, each with where it leads."""
    words = [
        f"{one.port}{'' if protocol_of(one) == 'TCP' else '/' + protocol_of(one)}"
        f"{f' ({one.name})' if one.name else ''}"
        f"{f' to {one.target_port}' if one.target_port not in (None, one.port) else ''}"
        for one in service.spec.ports or ()
    ]
    return ", ".join(words) or "none"
