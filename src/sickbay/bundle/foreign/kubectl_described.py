"""Descriptions of `kubectl describe` as the objects that they were made from."""

import re
from typing import Any, Final

from sickbay.bundle.foreign.kubectl_described_pod import pod_parts
from sickbay.bundle.foreign.kubectl_rows import labels_of, number
from sickbay.bundle.foreign.kubectl_sections import Description, Lines, blocks, pairs, rows
from sickbay.bundle.times import normal

_CELLS_OF_CONDITION: Final = 6
# By keys that only one kind prints; the most telling first.
_TELLS: Final = (
    ("Node", {"Allocatable", "System Info"}),
    ("Node", {"Roles", "Taints"}),
    ("Deployment", {"StrategyType"}),
    ("DaemonSet", {"Desired Number of Nodes Scheduled"}),
    ("StatefulSet", {"Update Strategy", "Pods Status"}),
    ("ReplicaSet", {"Replicas", "Pods Status"}),
    ("Job", {"Parallelism"}),
    ("CronJob", {"Concurrency Policy"}),
    ("HorizontalPodAutoscaler", {"Reference", "Min replicas"}),
    ("PodDisruptionBudget", {"Status", "Selector", "Min available"}),
    ("PodDisruptionBudget", {"Status", "Selector", "Max unavailable"}),
    ("PersistentVolume", {"Reclaim Policy", "Claim"}),
    ("PersistentVolumeClaim", {"StorageClass", "Volume"}),
    ("StorageClass", {"Provisioner", "VolumeBindingMode"}),
    ("Service", {"Type", "Selector", "Session Affinity"}),
    ("Ingress", {"Rules", "Address"}),
    ("Pod", {"Containers", "Status"}),
    ("Pod", {"Containers", "Node"}),
)


def kind_of(described: Description) -> str:
    """The kind of a description: it says so, its keys tell, or the command above does."""
    if told := described.value("Kind"):
        return told
    keys = described.keys
    for kind, needed in _TELLS:
        if needed <= keys:
            return kind
    if described.data:
        return "Secret" if "Type" in keys else "ConfigMap"
    return described.command.kind


def document(described: Description, kind: str, namespace: str) -> dict[str, Any]:
    """The object, or nothing if too little of it is told."""
    make = _MAKERS.get(kind, _custom if described.value("API Version") else None)
    parts = make(described) if make else None
    if parts is None:
        return {}
    metadata: dict[str, Any] = {
        "name": described.value("Name"),
        # It tells more than a row of a table does, and less than the object itself.
        "resourceVersion": "2",
        **parts.pop("metadata", {}),
    }
    if namespace:
        metadata["namespace"] = namespace
    labels = described.get("Labels")
    if labels and labels.words:
        metadata["labels"] = labels_of(",".join(labels.words))
    owner, slash, name = described.value("Controlled By").partition("/")
    if slash:
        metadata["ownerReferences"] = [{"kind": owner, "name": name, "controller": True}]
    version = described.value("API Version") or "v1"
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **parts}


def conditions(lines: Lines) -> list[dict[str, str]]:
    """A table of conditions: type, status, perhaps two times, perhaps a reason and a message."""
    found = []
    for cells in rows(lines):
        if len(cells) < 2:  # noqa: PLR2004
            continue
        one = {"type": cells[0], "status": cells[1]}
        if len(cells) >= _CELLS_OF_CONDITION:
            one["lastHeartbeatTime"], one["lastTransitionTime"] = map(normal, cells[2:4])
            one["reason"], one["message"] = cells[4], "  ".join(cells[5:])
        elif len(cells) > 2:  # noqa: PLR2004
            one["reason"], one["message"] = cells[2], " ".join(cells[3:])
        found.append({key: value for key, value in one.items() if value})
    return found


def _conditions_of(described: Description) -> list[dict[str, str]]:
    listed = described.get("Conditions")
    return conditions(listed.lines) if listed else []


def _pod(described: Description) -> dict[str, Any]:
    return pod_parts(described, _conditions_of(described))


def _node(described: Description) -> dict[str, Any]:
    quantities = {}
    for key in ("Capacity", "Allocatable"):
        if section := described.get(key):
            quantities[key.casefold()] = pairs(section.lines, 2)
    info = described.get("System Info")
    told = pairs(info.lines, 2) if info else {}
    taints = described.get("Taints")
    return {
        "spec": {
            "providerID": described.value("ProviderID"),
            "podCIDR": described.value("PodCIDR"),
            "unschedulable": described.value("Unschedulable") == "true",
            "taints": [_taint(word) for word in taints.words] if taints else [],
        },
        "status": {
            **quantities,
            "conditions": _conditions_of(described),
            "nodeInfo": {
                "kubeletVersion": told.get("Kubelet Version", ""),
                "osImage": told.get("OS Image", ""),
                "operatingSystem": told.get("Operating System", ""),
                "architecture": told.get("Architecture", ""),
                "kernelVersion": told.get("Kernel Version", ""),
                "containerRuntimeVersion": told.get("Container Runtime Version", ""),
            },
        },
    }


def _taint(word: str) -> dict[str, str]:
    pair, _, effect = word.rpartition(":")
    key, _, value = pair.partition("=")
    return {"key": key, "value": value, "effect": effect}


def _claim(described: Description) -> dict[str, Any]:
    spec = {
        "volumeName": described.value("Volume"),
        "storageClassName": described.value("StorageClass"),
    }
    return {
        "spec": {key: value for key, value in spec.items() if value},
        "status": {"phase": described.value("Status").partition(" ")[0]},
    }


def _service(described: Description) -> dict[str, Any]:
    selector = described.get("Selector")
    ingress = described.value("LoadBalancer Ingress").split()
    ports = []
    for section in described.sections:
        found = re.search(r"(\d{1,5})/([A-Z]+)$", section.value)
        if section.key == "Port" and found:
            ports.append({"port": int(found[1]), "protocol": found[2]})
        elif section.key == "TargetPort" and ports:
            target = section.value.partition("/")[0]
            ports[-1]["targetPort"] = number(target) or target
    return {
        "spec": {
            "type": described.value("Type"),
            "clusterIP": described.value("IP"),
            "selector": labels_of(",".join(selector.words)) if selector else {},
            "ports": ports,
        },
        "status": {"loadBalancer": {"ingress": [{"ip": ip.rstrip(",")} for ip in ingress]}},
    }


def _workload(described: Description) -> dict[str, Any]:
    counts = {
        word: int(count)
        for count, word in re.findall(r"(\d{1,9}) (\w+)", described.value("Replicas"))
    }
    current = re.match(r"(\d{1,9}) current / (\d{1,9}) desired", described.value("Replicas"))
    status = {
        "replicas": counts.get("total", counts.get("current")),
        "updatedReplicas": counts.get("updated"),
        "availableReplicas": counts.get("available"),
        "readyReplicas": counts.get("available"),
        "unavailableReplicas": counts.get("unavailable"),
    }
    wanted = int(current[2]) if current else counts.get("desired")
    selector = labels_of(described.value("Selector"))
    return {
        "spec": {
            **({"replicas": wanted} if wanted is not None else {}),
            **({"selector": {"matchLabels": selector}} if selector else {}),
        },
        "status": {
            **{key: value for key, value in status.items() if value is not None},
            "conditions": _conditions_of(described),
        },
    }


def _daemon_set(described: Description) -> dict[str, Any]:
    wanted = number(described.value("Desired Number of Nodes Scheduled"))
    ready = number(described.value("Number of Nodes Scheduled with Available Pods"))
    return {"status": {"desiredNumberScheduled": wanted, "numberReady": ready}}


def _budget(described: Description) -> dict[str, Any]:
    selector = labels_of(described.value("Selector"))
    section = described.get("Status")
    status = pairs(section.lines, 4) if section else {}
    counts = {
        "disruptionsAllowed": status.get("Allowed disruptions", ""),
        "currentHealthy": status.get("Current", ""),
        "desiredHealthy": status.get("Desired", ""),
        "expectedPods": status.get("Total", ""),
    }
    return {
        "spec": {
            "minAvailable": described.value("Min available") or None,
            "maxUnavailable": described.value("Max unavailable") or None,
            **({"selector": {"matchLabels": selector}} if selector else {}),
        },
        "status": {key: number(value) for key, value in counts.items()},
    }


def _autoscaler(described: Description) -> dict[str, Any]:
    kind, _, name = described.value("Reference").partition("/")
    return {
        "spec": {
            "scaleTargetRef": {"kind": kind, "name": name},
            "minReplicas": number(described.value("Min replicas")),
            "maxReplicas": number(described.value("Max replicas")),
        },
        "status": {"conditions": _conditions_of(described)},
    }


def _custom(described: Description) -> dict[str, Any]:
    """An object of a kind of its own: its conditions, and what ASO says of its owner."""
    spec, status = described.get("Spec"), described.get("Status")
    told = blocks(spec.lines, 2) if spec else []
    names = {block.key: block for block in told}
    owner = pairs(names["Owner"].lines, 4) if "Owner" in names else {}
    body: dict[str, Any] = {
        "status": {"conditions": _custom_conditions(status.lines if status else [])}
    }
    if spec is not None:
        azure = names.get("Azure Name")
        body["spec"] = {
            **({"azureName": azure.value} if azure else {}),
            **({"owner": {"name": owner["Name"]}} if owner.get("Name") else {}),
        }
    if described.value("API Version").partition("/")[0].endswith(".azure.com"):
        noted = described.get("Annotations")
        pairs_of = (word.partition(": ") for word in (noted.words if noted else ()))
        body["metadata"] = {
            "finalizers": ["serviceoperator.azure.com/finalizer"],
            "annotations": {key: value for key, colon, value in pairs_of if colon},
        }
    return body


def _custom_conditions(lines: Lines) -> list[dict[str, Any]]:
    """Conditions one after another, told apart by the key that comes again."""
    listed = next((b for b in blocks(lines, 2) if b.key == "Conditions"), None)
    found: list[dict[str, Any]] = []
    for block in blocks(listed.lines, 4) if listed else ():
        key = block.key.replace(" ", "")
        key = key[:1].lower() + key[1:]
        if not found or key in found[-1]:
            found.append({})
        more = [line.strip() for _, line in block.lines if line.strip()]
        found[-1][key] = " ".join([block.value, *more]).strip()
    for one in found:
        one["observedGeneration"] = number(one.get("observedGeneration", ""))
    return found


def _named(described: Description) -> dict[str, Any]:  # noqa: ARG001 - its values are not ours
    return {}


_MAKERS: Final = {
    "ConfigMap": _named,
    "Pod": _pod,
    "Node": _node,
    "PersistentVolumeClaim": _claim,
    "Service": _service,
    "Deployment": _workload,
    "ReplicaSet": _workload,
    "StatefulSet": _workload,
    "DaemonSet": _daemon_set,
    "PodDisruptionBudget": _budget,
    "HorizontalPodAutoscaler": _autoscaler,
}
