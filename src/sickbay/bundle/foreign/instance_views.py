"""The view of a machine from inside, when it stands alone: what its agent and extensions report."""

from typing import Any, Final

from sickbay.bundle.messages import as_text, is_quiet
from sickbay.bundle.sink import Sink
from sickbay.bundle.times import normal
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import Ref, kube

_MARKS: Final = ("vmAgent", "extensions", "virtualMachine", "osName", "computerName", "disks")
_HOLDERS: Final = ("vmAgent", "extensions", "disks", "vmHealth", "patchStatus")
_INSTANCE: Final = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"


def is_view(value: dict[str, Any]) -> bool:
    """Whether a value is the instance view of a machine or of a scale set, without its resource."""
    if "id" in value or not isinstance(value.get("statuses"), list):
        return False
    return any(mark in value for mark in _MARKS)


def take_view(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take each status that reports something wrong."""
    about = _machine(value)
    for holder, place in _holders(value, origin.locator):
        statuses = holder.get("statuses")
        for index, status in enumerate(statuses if isinstance(statuses, list) else ()):
            if isinstance(status, dict) and _is_bad(status):
                where = Origin(origin.source, f"{place}.statuses[{index}]")
                at = normal(str(status.get("time") or ""))
                sink.text(Text(as_text(status), where, about, "condition", at))


def _holders(value: dict[str, Any], place: str) -> list[tuple[dict[str, Any], str]]:
    found = [(value, place)]
    for key in _HOLDERS:
        member = value.get(key)
        if isinstance(member, dict):
            found.append((member, f"{place}.{key}"))
        elif isinstance(member, list):
            found += [
                (item, f"{place}.{key}[{n}]") for n, item in enumerate(member)
                if isinstance(item, dict)
            ]  # fmt: skip
    return found


def _is_bad(status: dict[str, Any]) -> bool:
    is_graded = isinstance(status.get("level"), str)
    return not is_quiet(status) and (is_graded or "message" in status)


def _machine(value: dict[str, Any]) -> Ref | None:
    """What the view names itself: the machine of a node has the node's name."""
    name = value.get("computerName")
    if not isinstance(name, str) or not name:
        return None
    return kube("Node", "", name) if name.startswith("aks") else Ref(_INSTANCE, name)
