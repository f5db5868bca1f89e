"""The later steps from a service to its pods: what is published, the port, and the node's part."""

from typing import Final

from sickbay.model.evidence import Gap
from sickbay.model.exposure import EndpointSlice
from sickbay.model.workloads import Service
from sickbay.network import nat_rules, services_proxy
from sickbay.network.services_backends import Held, Holding, is_stale, published_number
from sickbay.network.services_ports import (
    declared,
    is_undeclared,
    number_on,
    offered,
    protocol_of,
    spelled,
)
from sickbay.network.services_steps import View, blocks, cannot_tell, passes
from sickbay.network.traffic import Decision

_MOST_SHOWN: Final = 3


def of_published(view: View) -> Decision | None:
    """What slices or Endpoints hold; without them, the pods tell what they should hold."""
    found = view.published
    namespace = view.service.namespace
    if found is None:
        gap = Gap(EndpointSlice.kind, f"the slices of {view.name}", to_open=EndpointSlice.look)
        nothing = view.by_service("has endpoints that were not read")
        is_needed = not view.service.spec.selector
        return cannot_tell(nothing, gap) if is_needed else passes(nothing, gap)
    stale: list[Held] = []
    ready = 0
    for held in found.addresses:
        if is_stale(view.snapshot, namespace, held):
            stale.append(held)
        elif held.is_ready or held.is_draining:
            ready += 1
    if ready:
        but = f", and {stale[0].address} of no pod that is there" if stale else ""
        says = f"holds {ready} of {len(found.addresses)} addresses as ready{but}"
        return passes(view.by_published(found, says))
    if not found.is_whole:
        gap = Gap(EndpointSlice.kind, f"all slices of {view.name}", to_open=EndpointSlice.look)
        return cannot_tell(view.by_published(found, "holds no ready address"), gap)
    if stale:
        shown = ", ".join(held.address for held in stale[:_MOST_SHOWN])
        says = f"holds only {shown}, which no pod of the service has any more"
        return blocks(view.by_published(found, says))
    return _empty(view, found)


def _empty(view: View, found: Holding) -> Decision | None:
    if not view.service.spec.selector:
        says = "holds no ready address, and the service has no selector that would bring any"
        return blocks(view.by_published(found, says))
    if view.target and any(number_on(pod, view.target) is None for pod in view.ready_pods):
        # Pods without the named port are not published: the port decides, two steps on.
        return passes(view.by_published(found, "holds no ready address"))
    if view.ready_pods:
        says = (
            f"holds no ready address, while {view.ready_pods[0].name} is ready: "
            "the controller of slices does not follow"
        )
        return blocks(view.by_published(found, says))
    count = len(found.addresses)
    rest = f", and {count} that are not" if count else ""
    return blocks(view.by_published(found, f"holds no ready address{rest}"))


def of_port(view: View) -> Decision:
    """Whether the service has the port that is asked for."""
    target = view.target
    if target is None:
        return _no_port(view)
    port = target.port
    if target.direct is not None:
        is_moved = port is not None and port.target_port not in (None, port.port)
        but = (
            f"; port {port.port} of the service leads to {port.target_port} only in SRV records"
            if port and is_moved
            else ""
        )
        said = f"{target.protocol} {target.direct}" if target.direct else "any port"
        return passes(view.by_service(f"leaves {said} as it is{but}"))
    number = port.port if port else None
    says = f"has {target.protocol} port {number}, which leads to {target.meant} of its pods"
    return passes(view.by_service(says))


def _no_port(view: View) -> Decision:
    ports = view.service.spec.ports or ()
    if not ports:
        gap = Gap(Service.kind, f"the ports of {view.name}", to_open=Service.look)
        return cannot_tell(view.by_service("has no port in evidence"), gap)
    asked = view.port
    hint = ""
    for one in ports:
        if asked in (one.target_port, one.node_port) and protocol_of(one) == view.protocol:
            role = "target port" if asked == one.target_port else "node port"
            hint = f"; {asked} is the {role} of its port {one.port}"
            break
        if asked in (one.port, one.name):
            hint = f"; its port {one.port} is for {protocol_of(one)}"
    says = f"has no {view.protocol} port {asked}, only {offered(view.service)}{hint}"
    return blocks(view.by_service(says))


def of_target(view: View) -> Decision | None:
    """Whether the pods have the target port, as far as they declare any."""
    target = view.target
    if target is None:
        return None
    meant = target.meant
    if isinstance(meant, str):
        return _of_named(view, meant)
    pods = view.ready_pods or view.pods
    strange = [pod for pod in pods if is_undeclared(pod, meant, target.protocol)]
    if not strange or len(strange) < len(pods):
        return None
    # Declaring a port is a custom, not a condition: only the process tells where it listens.
    pod = strange[0]
    ports = spelled(declared(pod))
    gap = Gap(
        "Pod",
        f"whether {pod.namespace}/{pod.name} listens on {target.protocol} {meant}: "
        f"it declares {ports}",
        to_open=f"kubectl port-forward pod/{pod.name} -n {pod.namespace} {meant}:{meant}",
    )
    says = f"leads to port {meant}, while its pods declare {ports}"
    return passes(view.by_service(says), gap)


def _of_named(view: View, meant: str) -> Decision | None:
    if view.target is None or (view.is_answered and not view.pods):
        return None
    lacking = [pod for pod in view.pods if number_on(pod, view.target) is None]
    if view.pods and len(lacking) == len(view.pods):
        ports = list(declared(view.pods[0]))
        other = next((protocol_of(one) for one in ports if one.name == meant), "")
        why = f" for {view.target.protocol}, only for {other}" if other else ""
        says = f"leads to a port named {meant}, which its pods do not have{why}; they declare"
        return blocks(view.by_service(f"{says} {spelled(ports)}"))
    found = view.published
    if found and not view.is_answered:
        held = [one for one in found.addresses if one.is_ready]
        if held and all(published_number(one.ports, view.target) is None for one in held):
            says = f"publishes no port for {meant}, the target port of the service"
            return blocks(view.by_published(found, says))
    if lacking:
        says = f"leads to a port named {meant}, which {lacking[0].name} does not have"
        return passes(view.by_service(says))
    return None


def of_policy(view: View, node: str) -> Decision | None:
    """What changes with the node that the client is on."""
    spec = view.service.spec
    if spec.is_headless or not view.is_answered:
        return None
    nodes = sorted({backend.node for backend in view.backends if backend.ready and backend.node})
    if spec.internal_traffic_policy == "Local":
        says = f"serves clients in the cluster only on the node of a pod: {', '.join(nodes)}"
        if node and nodes and node not in nodes:
            return blocks(view.by_service(f"{says}, and the client is on {node}"))
        return passes(view.by_service(says))
    if spec.external_traffic_policy == "Local":
        says = f"serves clients from outside only on the node of a pod: {', '.join(nodes)}"
        return passes(view.by_service(says))
    return None


def of_node(view: View, node: str) -> Decision | None:
    """Whether the client's node translates the address of the service."""
    if view.service.spec.is_headless or not node or view.target is None:
        return None
    rules = nat_rules.decide(view.snapshot, view.service, view.target, node, view.backends)
    proxy = services_proxy.decide(view.snapshot, node)
    if rules is None or proxy is None:
        return rules or proxy
    # The rules are there, whatever wrote them and however it fares: they decide.
    because = () if rules.passes or proxy.passes else proxy.by
    return rules._replace(
        by=(*rules.by, *because), considered=(*proxy.considered, *rules.considered)
    )
