"""The description of a pod: its containers and how they fare, its volumes and where it may run."""

import re
from typing import Any, Final

from sickbay.bundle.foreign.kubectl_rows import labels_of, number
from sickbay.bundle.foreign.kubectl_sections import Description, Lines, Section, blocks, pairs
from sickbay.bundle.times import normal

_GROUPS: Final = (("Init Containers", "initContainer"), ("Containers", "container"))


def pod_parts(described: Description, conditions: list[dict[str, str]]) -> dict[str, Any]:
    """The spec and status of a described pod."""
    # Only the type and status of a condition are printed; a pod that is not placed is refused.
    for condition in conditions:
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            condition["reason"] = "Unschedulable"
    spec: dict[str, Any] = {
        "nodeName": described.value("Node").partition("/")[0] or None,
        "nodeSelector": _listed(described, "Node-Selectors"),
        "tolerations": _tolerations(described.get("Tolerations")),
        "volumes": _volumes(described.get("Volumes")),
        "containers": [],
    }
    status: dict[str, Any] = {
        "phase": described.value("Status").partition(" ")[0] or None,
        "reason": described.value("Reason") or None,
        "message": _whole(described.get("Message")),
        "podIP": described.value("IP") or None,
        "conditions": conditions,
    }
    for key, member in _GROUPS:
        section = described.get(key)
        found = blocks(section.lines, 2) if section else []
        if found:
            spec[f"{member}s"] = [_container(one) for one in found]
            status[f"{member}Statuses"] = [_status(one) for one in found]
    return {"spec": spec, "status": status}


def _whole(section: Section | None) -> str | None:
    return " ".join(section.words) or None if section else None


def _listed(described: Description, key: str) -> dict[str, str] | None:
    section = described.get(key)
    return labels_of(",".join(section.words)) if section and section.words else None


def _container(block: Section) -> dict[str, Any]:
    told = {part.key: part for part in blocks(block.lines, 4)}
    amounts = {
        key.casefold(): pairs(told[key].lines, 6) for key in ("Requests", "Limits") if key in told
    }
    image = told["Image"].value if "Image" in told else None
    return {"name": block.key, "image": image, "resources": amounts}


def _status(block: Section) -> dict[str, Any]:
    told = {part.key: part for part in blocks(block.lines, 4)}
    status: dict[str, Any] = {
        "name": block.key,
        "image": told["Image"].value if "Image" in told else None,
    }
    if "Ready" in told:
        status["ready"] = told["Ready"].value == "True"
    if "Restart Count" in told:
        status["restartCount"] = number(told["Restart Count"].value)
    for key, member in (("State", "state"), ("Last State", "lastState")):
        state = _state(told[key]) if key in told else None
        if state:
            status[member] = state
    return status


def _state(section: Section) -> dict[str, Any] | None:
    kind = section.value.casefold()
    if kind not in {"waiting", "running", "terminated"}:
        return None
    told = _state_fields(section.lines)
    state: dict[str, Any] = {
        "reason": told.get("Reason"),
        "message": told.get("Message"),
        "exitCode": number(told.get("Exit Code", "")),
        "signal": number(told.get("Signal", "")),
        "startedAt": normal(told.get("Started", "")) or None,
        "finishedAt": normal(told.get("Finished", "")) or None,
    }
    return {kind: {key: value for key, value in state.items() if value is not None}}


def _state_fields(lines: Lines) -> dict[str, str]:
    """What a state says: a message of several lines does not keep to the layout."""
    return pairs(lines, 6)


def _tolerations(section: Section | None) -> list[dict[str, Any]]:
    found = []
    for word in section.words if section else ():
        told = re.match(r"([^\s:=]*)(?:=([^\s:]*))?(?::(\w+))?(?: op=(\w+))?", word)
        if told:
            exists = told[4] == "Exists" or told[2] is None
            operator = "Exists" if exists else "Equal"
            found.append(
                {"key": told[1], "value": told[2], "effect": told[3], "operator": operator}
            )
    return found


def _volumes(section: Section | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for block in blocks(section.lines, 2) if section else ():
        told = pairs(block.lines, 4)
        kind = told.get("Type", "").partition(" ")[0]
        volume: dict[str, Any] = {"name": block.key}
        is_optional = told.get("Optional") == "true"
        if kind == "PersistentVolumeClaim" and told.get("ClaimName"):
            volume["persistentVolumeClaim"] = {"claimName": told["ClaimName"].split()[0]}
        elif kind == "ConfigMap" and told.get("Name"):
            volume["configMap"] = {"name": told["Name"], "optional": is_optional}
        elif kind == "Secret" and told.get("SecretName"):
            volume["secret"] = {"secretName": told["SecretName"], "optional": is_optional}
        found.append(volume)
    return found
