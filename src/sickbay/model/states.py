"""The states that a resource shows of itself, each with what its word means.

`Succeeded` only says that the last operation ended well: power, connectivity and what the parts
of a resource report are states of their own.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from sickbay.model.ages import hours_between
from sickbay.model.aks import AgentPool, ManagedCluster, PowerState
from sickbay.model.arc import Appliance, ClusterExtension, ConnectedCluster
from sickbay.model.azure import ScaleSet, ScaleSetInstance
from sickbay.model.entity import ArmEntity, ErrorDetail
from sickbay.model.governance import Feature
from sickbay.model.hybrid import HybridCluster, ProvisionedCluster
from sickbay.model.nexus import BareMetalMachine, CloudServicesNetwork, NexusCluster, NexusEntity
from sickbay.model.routing import Route
from sickbay.model.security import SecurityRule
from sickbay.model.state_parts import Part, State, machine_states, parts_of
from sickbay.model.state_words import ARC_AGENT, FIELDS, Standing, Words

__all__ = ["Part", "State", "parts_of", "states_of"]

NOT_TOLD: Final = "not told"
# A list of every feature that Azure has is no list of states, and a rule stands with its table.
_SILENT: Final = (Feature, SecurityRule, Route)
# What a document of this kind always tells; without it, nothing is known.
_EXPECTED: Final[dict[type[ArmEntity], tuple[str, ...]]] = {
    ManagedCluster: ("provisioning_state",),
    AgentPool: ("provisioning_state",),
    ScaleSet: ("provisioning_state",),
    ScaleSetInstance: ("provisioning_state",),
    ConnectedCluster: ("provisioning_state", "connectivity_status"),
    Appliance: ("provisioning_state", "status"),
    ProvisionedCluster: ("provisioning_state",),
    NexusCluster: ("provisioning_state", "detailed_status"),
}


def states_of(entity: ArmEntity, now: str = "") -> tuple[State, ...]:
    """Every state that a document shows; `now` judges what ends at a time, where it is known."""
    if isinstance(entity, _SILENT):
        return ()
    states = [*_in_fields(entity), *machine_states(entity), *_of_agents(entity, now)]
    states += [*_of_hybrid(entity), *_of_extension(entity), *_of_storage(entity)]
    states += _of_bare_metal(entity)
    return tuple(_settled(entity, _told_once(states)))


def _in_fields(entity: ArmEntity) -> Iterator[State]:
    expected = _EXPECTED.get(type(entity), ())
    for field in entity.__struct_fields__:
        words = FIELDS.get(field)
        if words is None:
            continue
        value = getattr(entity, field)
        if isinstance(value, PowerState):
            value = value.code
        if isinstance(value, str) and value:
            yield State(words.title, value, words.standing(value), _said(entity, field))
        elif field in expected and not value:
            yield State(words.title, NOT_TOLD, Standing.UNKNOWN)


def _said(entity: ArmEntity, field: str) -> str:
    """The message that a document has for one of its states."""
    if isinstance(entity, ManagedCluster | AgentPool) and field == "provisioning_state":
        return _error(entity.status.provisioning_error if entity.status else None)
    if isinstance(entity, ClusterExtension) and field == "provisioning_state":
        return _error(entity.error_info)
    if isinstance(entity, NexusEntity) and field == "detailed_status":
        return entity.detailed_status_message or ""
    return ""


def _error(error: ErrorDetail | None) -> str:
    """An error body as the text that it was: whoever shows it looks for the innermost."""
    return msgspec.json.encode(error).decode() if error else ""


def _of_agents(entity: ArmEntity, now: str) -> Iterator[State]:
    """What the Arc agents of a cluster last reported, and until when they may."""
    if isinstance(entity, ConnectedCluster):
        heard = entity.last_connectivity_time or ""
        ends = entity.managed_identity_certificate_expiration_time or ""
        profile = entity.arc_agent_profile
        if profile and profile.agent_state:
            errors = [error.message for error in profile.agent_errors or () if error.message]
            standing = ARC_AGENT.standing(profile.agent_state)
            yield State(ARC_AGENT.title, profile.agent_state, standing, "; ".join(errors))
    elif isinstance(entity, ProvisionedCluster):
        heard, ends = entity.connected_at, entity.certificate_ends_at
        # A list without `status` is a short form, and says nothing about the agents.
        if entity.is_succeeded and entity.status is not None and not heard and not ends:
            says = "its agents never reported to Azure"
            yield State("connectivity", "never connected", Standing.UNHEALTHY, says)
    else:
        return
    if heard:
        yield State("last heard", heard, Standing.HEALTHY)
    if ends:
        over = now and (hours_between(ends, now) or 0) > 0
        yield State("certificate until", ends, Standing.UNHEALTHY if over else Standing.HEALTHY)


def _of_hybrid(entity: ArmEntity) -> Iterator[State]:
    if not isinstance(entity, HybridCluster) or entity.status is None:
        return
    status = entity.status
    ended = status.provisioning_status
    said = status.error_message or _error(ended.error if ended else None)
    if status.current_state:
        words = FIELDS["provisioning_state"]
        yield State("current", status.current_state, words.standing(status.current_state))
    if said:
        yield State("error", "reported", Standing.UNHEALTHY, said)
    agents = status.features_status and status.features_status.arc_agent_status
    if agents and agents.deployment_state:
        standing = ARC_AGENT.standing(agents.deployment_state)
        yield State(ARC_AGENT.title, agents.deployment_state, standing, agents.error_message or "")


def _of_extension(entity: ArmEntity) -> Iterator[State]:
    """What an extension of a cluster reports beside its own state."""
    if isinstance(entity, ClusterExtension):
        for status in entity.statuses or ():
            if (status.level or "").casefold() == "error":
                word = status.code or "error"
                yield State("reports", word, Standing.UNHEALTHY, status.message or "")


def _of_bare_metal(entity: ArmEntity) -> Iterator[State]:
    """What Nexus only says behind the status of a machine: `Degraded: LACP status is down`."""
    said = entity.detailed_status_message if isinstance(entity, BareMetalMachine) else ""
    _, found, rest = (said or "").partition(_DEGRADED)
    if found:
        yield State("reports", "Degraded", Standing.UNHEALTHY, rest.strip())


_DEGRADED: Final = "Degraded:"
_STORAGE: Final = Words("storage", "available", "error failed", "expanding expansionpending")


def _of_storage(entity: ArmEntity) -> Iterator[State]:
    storage = entity.storage_status if isinstance(entity, CloudServicesNetwork) else None
    if storage and storage.status:
        standing = _STORAGE.standing(storage.status)
        yield State(_STORAGE.title, storage.status, standing, storage.status_message or "")


def _told_once(states: list[State]) -> list[State]:
    """Without a word that another one tells better: `Failed` beside `failed/AllocationFailed`."""
    better = {(one.title, one.standing): one for one in states if "/" in one.value}
    return [one for one in states if better.get((one.title, one.standing), one) is one]


def _settled(entity: ArmEntity, states: list[State]) -> Iterator[State]:
    """The states with what one of them means for another.

    A machine that is off cannot be ready, and one that is being made has no agents yet; a machine
    that was given to a site is meant to run.
    """
    powered = next((one.standing for one in states if one.title == "power"), None)
    provisioned = next((one.standing for one in states if one.title == "provisioning"), None)
    is_spare = not (
        isinstance(entity, BareMetalMachine)
        and (entity.detailed_status or "").casefold() == "provisioned"
    )
    for state in states:
        if state.title == "power" and powered is Standing.OFF and not is_spare:
            yield state._replace(standing=Standing.UNHEALTHY)
        elif state.title in _OF_THE_RUNNING and state.standing is Standing.UNHEALTHY:
            if powered is Standing.OFF and is_spare:
                yield state._replace(standing=Standing.OFF)
            elif provisioned is Standing.CHANGING and state.value.casefold() in _NOT_YET:
                yield state._replace(standing=Standing.CHANGING)
            else:
                yield state
        else:
            yield state


_OF_THE_RUNNING: Final = frozenset({"agent", "ready", "health", "connectivity"})
_NOT_YET: Final = frozenset({"agentnotinstalled", "not ready", "unavailable"})
