"""Rows of `kubectl get` as the objects that they were made from, as far as the columns tell."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

Cells = Mapping[str, str]
NOTHING: Final = frozenset({"", "<none>", "<unset>", "<unknown>", "<nil>"})
_DEFAULT: Final = "storageclass.kubernetes.io/is-default-class"


def document(kind: str, cells: Cells) -> dict[str, Any]:
    """The spec and status that a row tells; the caller knows its name."""
    make = _MAKERS.get(kind)
    return _without_nothing(make(cells)) if make else {}


def labels_of(cell: str) -> dict[str, str]:
    """Labels or a selector: `app=web,tier=front`."""
    if cell in NOTHING:
        return {}
    pairs = (pair.partition("=") for pair in cell.split(","))
    return {key.strip(): value.strip() for key, _, value in pairs if key.strip()}


def number(cell: str) -> int | None:
    """A count; what is no number, or none that any count reaches, is nothing."""
    return int(cell) if re.fullmatch(r"[0-9]{1,9}", cell) else None


def ratio(cell: str) -> tuple[int | None, int | None]:
    """Both sides of `1/3`."""
    left, _, right = cell.partition("/")
    return number(left.strip()), number(right.strip().partition(" ")[0])


def told(cells: Cells, column: str) -> str | None:
    cell = cells.get(column, "")
    return None if cell in NOTHING else cell


def _workload(cells: Cells) -> dict[str, Any]:
    """A Deployment, ReplicaSet or StatefulSet: the newer tables count `ready/wanted`."""
    ready, wanted = ratio(cells.get("READY", ""))
    if "DESIRED" in cells:
        wanted = number(cells["DESIRED"])
        ready = number(cells.get("READY", "")) or number(cells.get("AVAILABLE", ""))
    available = number(cells.get("AVAILABLE", ""))
    missing = wanted - available if wanted is not None and available is not None else None
    selector = labels_of(cells.get("SELECTOR", ""))
    return {
        "spec": {"replicas": wanted, "selector": {"matchLabels": selector} if selector else None},
        "status": {
            "replicas": number(cells.get("CURRENT", "")),
            "readyReplicas": ready,
            "updatedReplicas": number(cells.get("UP-TO-DATE", "")),
            "availableReplicas": available,
            "unavailableReplicas": missing if missing and missing > 0 else None,
        },
    }


def _daemon_set(cells: Cells) -> dict[str, Any]:
    selector = labels_of(cells.get("SELECTOR", ""))
    return {
        "spec": {"selector": {"matchLabels": selector} if selector else None},
        "status": {
            "desiredNumberScheduled": number(cells["DESIRED"]),
            "currentNumberScheduled": number(cells.get("CURRENT", "")),
            "numberReady": number(cells["READY"]),
            "updatedNumberScheduled": number(cells.get("UP-TO-DATE", "")),
            "numberAvailable": number(cells.get("AVAILABLE", "")),
        },
    }


def _job(cells: Cells) -> dict[str, Any]:
    done, wanted = ratio(cells["COMPLETIONS"])
    status = cells.get("STATUS", "")
    is_over = status in {"Failed", "Complete"}
    return {
        "spec": {"completions": wanted},
        "status": {
            "succeeded": done,
            "conditions": [{"type": status, "status": "True"}] if is_over else None,
        },
    }


def _claim(cells: Cells) -> dict[str, Any]:
    return {
        "spec": {
            "volumeName": told(cells, "VOLUME"),
            "storageClassName": told(cells, "STORAGECLASS"),
            "accessModes": _modes(cells),
        },
        "status": {"phase": cells["STATUS"]},
    }


def _volume(cells: Cells) -> dict[str, Any]:
    namespace, slash, name = cells["CLAIM"].partition("/")
    return {
        "spec": {
            "storageClassName": told(cells, "STORAGECLASS"),
            "accessModes": _modes(cells),
            "persistentVolumeReclaimPolicy": told(cells, "RECLAIM POLICY"),
            "claimRef": {"namespace": namespace, "name": name} if slash else None,
        },
        "status": {"phase": cells["STATUS"], "reason": told(cells, "REASON")},
    }


def _modes(cells: Cells) -> list[str] | None:
    names = {
        "RWO": "ReadWriteOnce",
        "ROX": "ReadOnlyMany",
        "RWX": "ReadWriteMany",
        "RWOP": "ReadWriteOncePod",
    }
    cell = told(cells, "ACCESS MODES")
    return [names.get(mode, mode) for mode in cell.split(",")] if cell else None


def _storage_class(cells: Cells) -> dict[str, Any]:
    return {
        "provisioner": cells["PROVISIONER"],
        "volumeBindingMode": told(cells, "VOLUMEBINDINGMODE"),
        "reclaimPolicy": told(cells, "RECLAIMPOLICY"),
        "metadata": {"annotations": {_DEFAULT: "true"}}
        if cells["NAME"].endswith(" (default)")
        else None,
    }


def _budget(cells: Cells) -> dict[str, Any]:
    return {
        "spec": {
            "minAvailable": _count_or_share(cells.get("MIN AVAILABLE", "")),
            "maxUnavailable": _count_or_share(cells.get("MAX UNAVAILABLE", "")),
        },
        "status": {"disruptionsAllowed": number(cells["ALLOWED DISRUPTIONS"])},
    }


def _count_or_share(cell: str) -> int | str | None:
    count = number(cell)
    return count if count is not None else (cell if re.fullmatch(r"\d{1,3}%", cell) else None)


def _aso(cells: Cells) -> dict[str, Any]:
    ready = {
        "type": "Ready",
        "status": cells["READY"],
        "severity": told(cells, "SEVERITY"),
        "reason": told(cells, "REASON"),
        "message": told(cells, "MESSAGE"),
    }
    return {"status": {"conditions": [ready] if cells["READY"] else None}}


def _without_nothing(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: _without_nothing(member) for key, member in value.items() if member is not None}


_MAKERS: Final[dict[str, Callable[[Cells], dict[str, Any]]]] = {
    "Deployment": _workload,
    "ReplicaSet": _workload,
    "StatefulSet": _workload,
    "DaemonSet": _daemon_set,
    "Job": _job,
    "PersistentVolumeClaim": _claim,
    "PersistentVolume": _volume,
    "StorageClass": _storage_class,
    "PodDisruptionBudget": _budget,
    "aso": _aso,
}
