"""The layers that traffic meets between two ends, in the order in which it meets them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network import exposure, names, policy, reach_azure, services
from sickbay.network.policy_ends import end_of, node_addresses
from sickbay.network.reach_spots import Spot, SpotKind, of_address, pod_spot
from sickbay.network.services_backends import Backend
from sickbay.network.traffic import Decider, Decision, Place, Traffic, Verdict, all_of


class Asked(NamedTuple):
    """A question: from where, to where, and what; `client` is the public address of the user."""

    source: Spot
    target: Spot
    traffic: Traffic
    protocol_is_given: bool = False
    client: str = ""


class Leg(NamedTuple):
    """One layer on the way, and what it says."""

    layer: str
    decision: Decision


def legs(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    """Every layer from one end to the other; who asks may stop at the first that blocks."""
    source, target = asked.source, asked.target
    if source.kind in (SpotKind.SERVICE, SpotKind.NAME) and source.place.pod is None:
        what = "a service does not send" if source.service else "a name does not send"
        raise SickbayError(f"{source.label} cannot be the source: {what}", "name a pod behind it")
    if source.kind is SpotKind.API_SERVER:
        yield from _from_server(snapshot, asked)
    elif target.kind is SpotKind.API_SERVER:
        from sickbay.network.reach_server import to_server  # noqa: PLC0415 - it needs this module

        yield from to_server(snapshot, asked)
    elif target.kind is SpotKind.NAME:
        yield from _to_name(snapshot, asked)
    elif target.kind is SpotKind.SERVICE and target.service is not None:
        yield from _to_service(snapshot, asked)
    else:
        yield from direct(snapshot, asked)


def direct(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    """What lies between two places that talk to each other without any translation."""
    place = asked.target.place
    yield Leg("policies", policy.decide(snapshot, asked.source.place, place, asked.traffic))
    for layer, decision in reach_azure.between(snapshot, asked.source, asked.target, asked.traffic):
        yield Leg(layer, decision)


def is_inside(snapshot: Snapshot, spot: Spot) -> bool:
    """Whether traffic from here meets the addresses of services inside the cluster."""
    if spot.place.pod is not None or spot.place.node is not None:
        return True
    end = end_of(snapshot, spot.place)
    return end.pod is not None or bool(end.node_name)


def _to_name(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    name = asked.target.place.fqdn
    resolution = resolved(snapshot, asked.source, name)
    yield Leg("name", resolution.decision)
    if resolution.verdict is Verdict.BLOCKED:
        return
    if not resolution.addresses:
        yield from direct(snapshot, asked)
        return
    # Of several addresses one is taken; they belong to one thing.
    found = of_address(snapshot, resolution.addresses[0])
    place = Place(asked.target.label, resolution.addresses, fqdn=name)
    yield from legs(snapshot, asked._replace(target=found._replace(place=place)))


def resolved(snapshot: Snapshot, source: Spot, name: str) -> names.Resolution:
    """What a name resolves to at one end."""
    if source.place.pod is not None:
        return names.resolve(snapshot, name, source.place.pod)
    at = reach_azure.whereabouts(snapshot, source)
    if at is not None and at.subnet:
        return names.resolve(snapshot, name, at.subnet)
    by = Decider("Name", name, "is resolved by the name servers of the client")
    gap = Gap(
        "name servers", f"what {name} resolves to for {source.label}", to_open=f"nslookup {name}"
    )
    return names.Resolution(Verdict.ALLOWED, (), by, (by,), (gap,))


def _to_service(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    service = asked.target.service
    if service is None:
        return
    port, protocol = asked.traffic.port, asked.traffic.protocol
    if is_inside(snapshot, asked.source):
        wired = services.wiring(snapshot, service, port, protocol, _node_of(asked.source))
        yield Leg("service", wired.decision)
        yield from _to_backends(snapshot, asked, wired.backends)
        return
    client = _client(asked)
    front = exposure.front(snapshot, service, port, protocol, client or "0.0.0.0/0")
    yield Leg("service", front.decision)
    for layer, decision in reach_azure.into(
        snapshot, asked.source, front.addresses, front.wiring.backends, asked.traffic
    ):
        yield Leg(layer, decision)
    is_local = service.spec.external_traffic_policy == "Local"
    yield from _behind_balancer(snapshot, asked, front.wiring.backends, is_local=is_local)


def _client(asked: Asked) -> str:
    return next(iter(asked.source.place.addresses), "") or asked.client


def _node_of(source: Spot) -> str:
    if source.place.pod is not None:
        return source.place.pod.node
    return source.place.node.name if source.place.node is not None else ""


def _to_backends(snapshot: Snapshot, asked: Asked, backends: Sequence[Backend]) -> Iterator[Leg]:
    """The way to the pods behind a service: to each that is ready, and all must be alike."""
    ways = [
        list(legs(snapshot, _to_backend(snapshot, asked, backend)))
        for backend in backends
        if backend.ready
    ]
    yield from _common(ways, backends)


def _to_backend(snapshot: Snapshot, asked: Asked, backend: Backend) -> Asked:
    traffic = asked.traffic._replace(port=backend.port or asked.traffic.port)
    return asked._replace(target=_spot(snapshot, backend), traffic=traffic)


def _spot(snapshot: Snapshot, backend: Backend) -> Spot:
    if backend.pod is not None:
        spot = pod_spot(backend.pod)
        known = spot.place.addresses or ((backend.address,) if backend.address else ())
        return spot._replace(place=spot.place._replace(addresses=known))
    if any(sign in backend.address for sign in ":/") or backend.address.replace(".", "").isdigit():
        found = of_address(snapshot, backend.address)
        return found._replace(kind=SpotKind.ADDRESS, service=None)
    return Spot(SpotKind.NAME, Place(backend.address, fqdn=backend.address))


def _common(ways: Sequence[list[Leg]], backends: Sequence[Backend]) -> Iterator[Leg]:
    """The worst of several ways; traffic is spread over all of them."""
    if not ways:
        return
    verdicts = [all_of(leg.decision for leg in way).verdict for way in ways]
    for verdict in (Verdict.BLOCKED, Verdict.UNKNOWN, Verdict.ALLOWED):
        if verdict in verdicts:
            worst = verdicts.index(verdict)
            break
    count = verdicts.count(verdicts[worst])
    if count < len(ways):
        ready = [backend for backend in backends if backend.ready]
        some = ready[worst].pod
        name = f"{some.namespace}/{some.name}" if some else ready[worst].address
        says = f"is one of {count} of {len(ways)} backends whose way is {verdicts[worst]}"
        by = Decider("Pod" if some else "Address", name, says, some.ref if some else None)
        yield Leg("backends", Decision(Verdict.ALLOWED, (by,), (by,)))
    yield from ways[worst]


def _behind_balancer(
    snapshot: Snapshot, asked: Asked, backends: Sequence[Backend], *, is_local: bool
) -> Iterator[Leg]:
    """What policies say of a client that comes through a load balancer.

    Only with externalTrafficPolicy Local do they see its own address; else that of the node which
    passes it on.
    """
    ways = []
    for backend in (one for one in backends if one.ready and one.pod is not None):
        one = _to_backend(snapshot, asked, backend)
        decision = policy.decide(snapshot, one.source.place, one.target.place, one.traffic)
        if not is_local:
            decision = _through_node(snapshot, one, backend, decision)
        ways.append([Leg("policies", decision)])
    yield from _common(ways, [one for one in backends if one.pod is not None])


def _through_node(
    snapshot: Snapshot, asked: Asked, backend: Backend, straight: Decision
) -> Decision:
    nodes = sorted(snapshot.grouped(Node, "kind", Node.kind), key=lambda node: node.name)
    other = next((node for node in nodes if node.name != backend.node), None)
    if other is None:
        return straight
    via = Place(f"node/{other.name}", node_addresses(other), node=other)
    passed_on = policy.decide(snapshot, via, asked.target.place, asked.traffic)
    if passed_on.verdict is straight.verdict:
        return straight
    what = "which address the policies see: externalTrafficPolicy Cluster may hide the client's"
    gap = Gap("externalTrafficPolicy", what)
    by = (*straight.by, *passed_on.by)
    return Decision(Verdict.UNKNOWN, by, (*straight.considered, *passed_on.considered), (gap,))


def _from_server(snapshot: Snapshot, asked: Asked) -> Iterator[Leg]:
    """The API server reaches into a cluster through the tunnel of its konnectivity agents."""
    agents = snapshot.labelled(Pod, "kube-system", {"app": "konnectivity-agent"})
    ready = sorted((pod for pod in agents if pod.is_ready), key=lambda pod: pod.name)
    by = Decider("Pod", "kube-system/konnectivity-agent", "carries what the API server sends")
    if ready:
        yield Leg("tunnel", Decision(Verdict.ALLOWED, (by,), (by,)))
        yield from legs(snapshot, asked._replace(source=pod_spot(ready[0])))
        return
    if agents:
        names_of = ", ".join(sorted(pod.name for pod in agents))
        by = by._replace(
            says=f"is not ready ({names_of}), so that nothing comes through the tunnel"
        )
        yield Leg("tunnel", Decision(Verdict.BLOCKED, (by,), (by,)))
        return
    look = "kubectl get pods -n kube-system -l app=konnectivity-agent -o json"
    gap = Gap("Pod", "the konnectivity agents of the cluster", to_open=look)
    yield Leg("tunnel", Decision(Verdict.UNKNOWN, (), (), (gap,)))
