"""Whether traffic to a service finds a pod that can answer, and which object decides.

The steps are those of a person with kubectl: the type, the selector, the pods, what was published
of them, the port, the target port, and what translates the address on the node.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network import services_apiserver
from sickbay.network.services_backends import (
    Backend,
    Holding,
    counts_as_ready,
    held_backends,
    holding,
    pod_backends,
)
from sickbay.network.services_external import follow
from sickbay.network.services_pods import selected
from sickbay.network.services_ports import Target, targets
from sickbay.network.services_steps import View, of_readiness, of_selector, of_type
from sickbay.network.services_ways import of_node, of_policy, of_port, of_published, of_target
from sickbay.network.traffic import Decider, Decision, Verdict, all_of

__all__ = ["Backend", "Wiring", "wiring"]


class Wiring(NamedTuple):
    """Where a service leads: the verdict, what stands behind it, and each step on the way.

    Where the service is a name for something outside, the one backend has that name as its address.
    """

    decision: Decision
    backends: tuple[Backend, ...]
    steps: tuple[Decider, ...]


def wiring(
    snapshot: Snapshot,
    service: Service,
    port: int | str | None = None,
    protocol: str = "TCP",
    from_node: str = "",
) -> Wiring:
    """Follow traffic from a service to its pods.

    `port` is a number or a name of the service's own; without one, the first of its ports that
    works is followed. `from_node` is where the client runs, for what differs between nodes.
    Policies, routes and the process that should listen are for others to ask.
    """
    if service.spec.type == "ExternalName":
        return _by_name(snapshot, service, port, protocol, from_node)
    pods = selected(snapshot, service)
    ready = tuple(pod for pod in pods if counts_as_ready(pod, service))
    published = holding(snapshot, service)
    tried = []
    for target in targets(service, port, protocol.upper()) or (None,):
        backends = _backends(snapshot, service, target, pods, published)
        view = View(
            snapshot, service, port, protocol.upper(), target, pods, ready, published, backends
        )
        found = _wired(view, from_node)
        if found.decision.passes:
            return found
        tried.append(found)
    return tried[0]


def _by_name(
    snapshot: Snapshot, service: Service, port: int | str | None, protocol: str, from_node: str
) -> Wiring:
    ending = follow(snapshot, service)
    before = [decider for step in ending.steps for decider in step.considered]
    if ending.service is not None:
        found = wiring(snapshot, ending.service, port, protocol, from_node)
        steps = (*before, *found.steps)
        return Wiring(found.decision._replace(considered=steps), found.backends, steps)
    decision = _concluded(ending.steps, before[-1])
    if not ending.name:
        return Wiring(decision, (), tuple(before))
    number = port if isinstance(port, int) else 0
    outside = Backend(None, ending.name, number, "", ready=True)
    return Wiring(decision, (outside,), tuple(before))


def _backends(
    snapshot: Snapshot,
    service: Service,
    target: Target | None,
    pods: Sequence[Pod],
    published: Holding | None,
) -> tuple[Backend, ...]:
    """What is published decides; where nobody read that, what the pods would lead to."""
    if target is None:
        return ()
    if published is None:
        return pod_backends(pods, service, target)
    found = held_backends(snapshot, service, published, target)
    is_known = published.is_whole or any(backend.ready for backend in found)
    return found if is_known else pod_backends(pods, service, target)


def _wired(view: View, node: str) -> Wiring:
    found: list[Decision] = []
    for step in _steps(view, node):
        if step is not None:
            found.append(step)
            if step.verdict is Verdict.BLOCKED:
                break
    ready = [backend for backend in view.backends if backend.ready]
    ports = ", ".join(sorted({str(backend.port) for backend in ready if backend.port}))
    backends = f"{len(ready)} ready backend{'' if len(ready) == 1 else 's'}"
    says = f"leads to {backends}{f' at port {ports}' if ports else ''}"
    decision = _concluded(found, view.by_service(says))
    return Wiring(decision, view.backends, decision.considered)


def _steps(view: View, node: str) -> Iterator[Decision | None]:
    yield of_type(view)
    yield of_selector(view)
    yield of_readiness(view)
    yield of_published(view)
    yield of_port(view)
    yield of_target(view)
    yield of_policy(view, node)
    yield services_apiserver.decide(view.snapshot, view.service, view.backends)
    yield of_node(view, node)


def _concluded(steps: Iterable[Decision], ending: Decider) -> Decision:
    """The verdict of all steps; what passes is said by the last word instead of by each step."""
    decision = all_of(steps)
    return decision._replace(by=(ending,)) if decision.passes else decision
