"""What stands behind a service: the addresses that its slices hold, or that its pods would give."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sickbay.model.exposure import EndpointAddress, EndpointPort, Endpoints, EndpointSlice
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_pods import has_status
from sickbay.network.services_ports import Target, number_on

_OVER: Final = frozenset({"Succeeded", "Failed"})


class Backend(NamedTuple):
    """Where a service sends traffic to; the pod is None where the address is no known pod's."""

    pod: Pod | None
    address: str
    port: int
    node: str
    ready: bool


class Held(NamedTuple):
    """One address that a slice or an Endpoints object holds for a service.

    `pod` is the name that it gives to the pod behind the address; `is_draining` means that the pod
    is on its way out and still serves, which counts only while nothing better is there.
    """

    address: str
    pod: str
    node: str
    is_ready: bool
    is_draining: bool
    ports: tuple[EndpointPort, ...]


class Holding(NamedTuple):
    """What was published of a service, by an object of this kind and name."""

    kind: str
    name: str
    addresses: tuple[Held, ...]
    is_whole: bool


def holding(snapshot: Snapshot, service: Service) -> Holding | None:
    """What the cluster published for a service, or None when nobody read that."""
    name = f"{service.namespace}/{service.name}"
    slices = sorted(snapshot.grouped(EndpointSlice, "service", name), key=lambda one: one.name)
    is_whole = snapshot.has_seen(EndpointSlice.kind, service.namespace)
    if slices or is_whole:
        held = tuple(held for one in slices for held in _of_slice(one))
        called = f"{service.namespace}/{slices[0].name}" if slices else name
        return Holding(EndpointSlice.kind, called, held, is_whole)
    ref = kube(Endpoints.kind, service.namespace, service.name)
    found = snapshot.find(ref)
    if isinstance(found, Endpoints):
        return Holding(Endpoints.kind, name, tuple(_of_endpoints(found)), is_whole=True)
    if snapshot.has_seen(Endpoints.kind, service.namespace):
        return Holding(Endpoints.kind, name, (), is_whole=True)
    return None


def _of_slice(one: EndpointSlice) -> Iterator[Held]:
    ports = tuple(one.ports or ())
    for endpoint in one.endpoints or ():
        conditions = endpoint.conditions
        # What nobody says is as good as true, except that it is going.
        is_ready = conditions is None or conditions.ready is not False
        is_going = bool(conditions and conditions.terminating)
        serves = bool(conditions and conditions.serving)
        pod = endpoint.target_ref
        for address in endpoint.addresses or ():
            yield Held(
                address,
                pod.name if pod and pod.kind == "Pod" else "",
                endpoint.node_name or "",
                is_ready,
                not is_ready and is_going and serves,
                ports,
            )


def _of_endpoints(endpoints: Endpoints) -> Iterator[Held]:
    for subset in endpoints.subsets or ():
        ports = tuple(subset.ports or ())
        for address in subset.addresses or ():
            yield _of_address(address, ports, is_ready=True)
        for address in subset.not_ready_addresses or ():
            yield _of_address(address, ports, is_ready=False)


def _of_address(
    address: EndpointAddress, ports: tuple[EndpointPort, ...], *, is_ready: bool
) -> Held:
    pod = address.target_ref
    name = pod.name if pod and pod.kind == "Pod" else ""
    return Held(address.ip or "", name, address.node_name or "", is_ready, False, ports)


def held_backends(
    snapshot: Snapshot, service: Service, found: Holding, target: Target
) -> tuple[Backend, ...]:
    """The backends that were published for a target."""
    is_any_ready = any(held.is_ready for held in found.addresses)
    backends = []
    for held in found.addresses:
        number = published_number(held.ports, target)
        if number is None:
            continue
        pod = pod_behind(snapshot, service.namespace, held)
        counts = held.is_ready or (held.is_draining and not is_any_ready)
        backends.append(
            Backend(
                pod,
                held.address,
                number,
                held.node or (pod.node if pod else ""),
                counts and not is_stale(snapshot, service.namespace, held),
            )
        )
    return _ordered(backends)


def published_number(ports: tuple[EndpointPort, ...], target: Target) -> int | None:
    """The number that slices publish for a port of the service; they know it by its name."""
    if target.direct is not None or target.port is None:
        return target.direct or 0
    wanted = target.port.name or ""
    for port in ports:
        if (port.name or "") == wanted and (port.protocol or "TCP").upper() == target.protocol:
            return port.port
    return None


def pod_backends(pods: Iterable[Pod], service: Service, target: Target) -> tuple[Backend, ...]:
    """The backends that pods would give, were they published as they are now."""
    found = []
    for pod in pods:
        number = number_on(pod, target)
        if number is None or is_over(pod):
            continue
        is_ready = counts_as_ready(pod, service)
        # A pod that is ready has an address, also where the evidence does not tell it.
        known = addresses_of(pod) or (("",) if is_ready else ())
        found += [
            Backend(pod, address, number, pod.node, is_ready)
            for address in known
            if not address or _is_of_family(address, service)
        ]
    return _ordered(found)


def counts_as_ready(pod: Pod, service: Service) -> bool:
    """Whether a pod is ready, or only its manifest is known: nothing then says that it is not."""
    if service.spec.publish_not_ready_addresses:
        return not is_over(pod)
    if not has_status(pod):
        return not pod.metadata.deletion_timestamp
    return pod.is_ready and not pod.metadata.deletion_timestamp and not is_over(pod)


def is_over(pod: Pod) -> bool:
    return pod.status.phase in _OVER


def addresses_of(pod: Pod) -> tuple[str, ...]:
    """The addresses of a pod, of both families where it has both."""
    both = [one.ip for one in pod.status.pod_ips or () if one.ip]
    return tuple(dict.fromkeys([pod.status.pod_ip, *both] if pod.status.pod_ip else both))


def pod_behind(snapshot: Snapshot, namespace: str, held: Held) -> Pod | None:
    """The pod that a published address is of, in whichever namespace where no name is given."""
    if held.pod:
        pod = snapshot.find(kube("Pod", namespace, held.pod))
        return pod if isinstance(pod, Pod) else None
    return snapshot.once(_by_address).get(held.address)


def is_stale(snapshot: Snapshot, namespace: str, held: Held) -> bool:
    """Whether an address is published for a pod that does not have it, or is no more."""
    if not held.pod:
        return False
    pod = pod_behind(snapshot, namespace, held)
    if pod is None:
        return snapshot.has_seen(Pod.kind, namespace)
    known = addresses_of(pod)
    return is_over(pod) or (bool(known) and held.address not in known)


def _by_address(snapshot: Snapshot) -> dict[str, Pod]:
    # Pods of the host's network share its address, so that it does not tell which is meant.
    found: dict[str, Pod] = {}
    for kind in snapshot.kinds:
        if issubclass(kind, Pod):
            for pod in sorted(snapshot.some(kind), key=lambda one: one.ref):
                if not pod.spec.host_network and not is_over(pod):
                    found.update(dict.fromkeys(addresses_of(pod), pod))
    return found


def _is_of_family(address: str, service: Service) -> bool:
    families = service.spec.ip_families
    return not families or ("IPv6" if ":" in address else "IPv4") in families


def _ordered(backends: Iterable[Backend]) -> tuple[Backend, ...]:
    return tuple(sorted(backends, key=lambda one: (not one.ready, one.address, one.port)))
