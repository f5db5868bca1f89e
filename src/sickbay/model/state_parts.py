"""States inside a document: of a machine its view, and of what has no document of its own."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.azure import InstanceStatus, InstanceView, ScaleSetInstance, VirtualMachine
from sickbay.model.entity import ArmEntity
from sickbay.model.hybrid import HybridCluster
from sickbay.model.hybrid_parts import ComponentStatus
from sickbay.model.naming import PrivateEndpoint
from sickbay.model.nexus import NexusKubernetesCluster
from sickbay.model.state_words import (
    AGENT,
    CONNECTION,
    FIELDS,
    HEALTH,
    POWER,
    PROVISIONING,
    READY,
    Standing,
    Words,
)
from sickbay.record import NamedTuple


class State(NamedTuple):
    """One state of a thing: what it is of, its word, and what that means.

    `says` is the message that belongs to it, `since` when it began as far as a document tells.
    """

    title: str
    value: str
    standing: Standing
    says: str = ""
    since: str = ""


class Part(NamedTuple):
    """Something that only the document of another holds: an extension, a node, an add-on."""

    kind: str
    name: str
    states: tuple[State, ...]


_CODES: Final = {
    "provisioningstate": PROVISIONING,
    "powerstate": POWER,
    "healthstate": HEALTH,
}
_COMPONENT: Final = Words(
    "phase",
    "provisioned succeeded",
    "failed",
    "pending provisioning upgrading deleting provisioned{installing} installing",
)


def machine_states(entity: ArmEntity) -> Iterator[State]:
    """What the view of a machine tells, beyond the members of its document."""
    view = _view(entity)
    if view is None:
        return
    known = (entity.provisioning_state or "").casefold()
    for status in view.statuses or ():
        state = _coded(status)
        # The view repeats what the document says, unless it says more.
        if state and (state.title != PROVISIONING.title or state.value.casefold() != known):
            yield state
    if view.vm_health and view.vm_health.status:
        health = _coded(view.vm_health.status)
        if health:
            yield health
    for status in (view.vm_agent and view.vm_agent.statuses) or ():
        word = status.display_status or (status.code or "").rpartition("/")[2]
        yield State(
            AGENT.title, word, AGENT.standing(word), status.message or "", status.time or ""
        )


def parts_of(entity: ArmEntity) -> tuple[Part, ...]:
    """What has states, and no document of its own."""
    if isinstance(entity, ScaleSetInstance | VirtualMachine):
        return tuple(_extensions(entity))
    if isinstance(entity, NexusKubernetesCluster):
        return (*_nodes(entity), *_features(entity))
    if isinstance(entity, HybridCluster):
        return tuple(_components(entity))
    if isinstance(entity, PrivateEndpoint):
        return tuple(_connections(entity))
    return ()


def _view(entity: ArmEntity) -> InstanceView | None:
    return entity.instance_view if isinstance(entity, ScaleSetInstance | VirtualMachine) else None


def _coded(status: InstanceStatus) -> State | None:
    """The state in a code such as `ProvisioningState/failed/0`."""
    family, _, word = (status.code or "").partition("/")
    words = _CODES.get(family.casefold())
    if words is None or not word:
        return None
    shown = word.removesuffix("/0")
    return State(words.title, shown, words.standing(shown), status.message or "", status.time or "")


def _extensions(machine: ScaleSetInstance | VirtualMachine) -> Iterator[Part]:
    found: dict[str, list[State]] = {}
    for listed in machine.resources or ():
        if listed.name and listed.provisioning_state:
            word = listed.provisioning_state
            state = State(PROVISIONING.title, word, PROVISIONING.standing(word))
            found.setdefault(listed.name.rpartition("/")[2], []).append(state)
    view = machine.instance_view
    for extension in (view and view.extensions) or ():
        reported = [_coded(status) for status in extension.statuses or ()]
        known = found.setdefault(extension.name or "", [])
        fresh = [state for state in reported if state]
        # The view is nearer to the machine than the list, and says more.
        known[:] = fresh or known
    return (Part("extension", name, tuple(states)) for name, states in found.items() if states)


def _nodes(cluster: NexusKubernetesCluster) -> Iterator[Part]:
    for node in cluster.nodes or ():
        states = [
            *_worded("detailed_status", node.detailed_status, node.detailed_status_message),
            *_worded("power_state", node.power_state),
        ]
        if states:
            yield Part("node", node.name or "", tuple(states))


def _features(cluster: NexusKubernetesCluster) -> Iterator[Part]:
    for feature in cluster.feature_statuses or ():
        said = feature.detailed_status_message
        states = tuple(_worded("detailed_status", feature.detailed_status, said))
        if states:
            yield Part("feature", feature.name or "", states)


def _worded(field: str, value: str | None, says: str | None = None) -> Iterator[State]:
    if value:
        words = FIELDS[field]
        yield State(words.title, value, words.standing(value), says or "")


def _components(cluster: HybridCluster) -> Iterator[Part]:
    status = cluster.status
    if status is None:
        return
    for one in status.control_plane_status or ():
        yield from _component("component", one.name or "", one)
    for name, addon in (status.addon_status or {}).items():
        if addon:
            yield from _component("add-on", name, addon)


def _component(kind: str, name: str, one: ComponentStatus) -> Iterator[Part]:
    states = []
    if one.phase:
        phase = one.phase.replace(" ", "")
        states.append(
            State("phase", one.phase, _COMPONENT.standing(phase), one.error_message or "")
        )
    if one.ready is not None:
        word = str(one.ready)
        # What is still being made is not ready, and need not be.
        settled = all(state.standing is not Standing.CHANGING for state in states)
        standing = READY.standing(word)
        states.append(State(READY.title, word.lower(), standing if settled else Standing.CHANGING))
    if states:
        yield Part(kind, name, tuple(states))


def _connections(endpoint: PrivateEndpoint) -> Iterator[Part]:
    for connection in endpoint.connections:
        state = connection.private_link_service_connection_state
        if state and state.status:
            name = (connection.private_link_service_id or "").rpartition("/")[2]
            standing = CONNECTION.standing(state.status)
            yield Part("connection", name, (State(CONNECTION.title, state.status, standing),))
