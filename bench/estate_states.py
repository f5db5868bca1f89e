"""The states of pods and nodes in a made-up estate, and what events tell of them."""

import json
from enum import Enum
from functools import cache
from typing import NamedTuple

from bench.estate_templates import BORN, PROXY, Json, Template


class Mode(Enum):
    """How a workload fares."""

    HEALTHY = "healthy"
    IMAGE = "its image cannot be pulled"
    MEMORY = "its limit of memory is too low"
    CPU = "it asks for more CPU than any node has"


def image(mode: Mode, app: str) -> str:
    tag = "v9.9.9-missing" if mode is Mode.IMAGE else "v1.4.2"
    return f"contoso.azurecr.io/shop/{app}:{tag}"


def _condition(kind: str, status: str, reason: str = "", message: str = "") -> Json:
    said = {"reason": reason, "message": message} if reason else {}
    return {"type": kind, "status": status, "lastTransitionTime": BORN, **said}


def _container(name: str, image: str, state: Json, restarts: int = 0) -> Json:
    is_ready = "running" in state
    return {
        "name": name,
        "state": state,
        "lastState": {},
        "ready": is_ready,
        "restartCount": restarts,
        "image": image,
        "imageID": f"{image}@sha256:{'5e' * 32}" if is_ready else "",
        "containerID": f"containerd://{'c0' * 32}" if is_ready else "",
        "started": is_ready,
    }


_RUNNING: Json = {"running": {"startedAt": BORN}}
_PULLING: Json = {
    "waiting": {
        "reason": "ImagePullBackOff",
        "message": 'Back-off pulling image "<image>": ErrImagePull: <image>: not found',
    }
}
_BACKING_OFF: Json = {
    "waiting": {
        "reason": "CrashLoopBackOff",
        "message": "back-off 5m0s restarting failed container=app pod=<name>_<namespace>(<uid>)",
    }
}
_KILLED: Json = {
    "terminated": {
        "exitCode": 137,
        "reason": "OOMKilled",
        "startedAt": "2026-01-10T09:01:00Z",
        "finishedAt": "2026-01-10T09:01:07Z",
    }
}
_NO_ROOM = (
    "0/<nodes> nodes are available: <nodes> Insufficient cpu. preemption: 0/<nodes> nodes are "
    "available: <nodes> No preemption victims found for incoming pod."
)
_NOT_READY = "containers with unready status: [app]"


@cache
def pod_status(mode: Mode) -> Template:
    if mode is Mode.CPU:
        return Template(
            {
                "phase": "Pending",
                "conditions": [_condition("PodScheduled", "False", "Unschedulable", _NO_ROOM)],
                "qosClass": "Guaranteed",
            }
        )
    app = _container("app", "<image>", _RUNNING)
    if mode is Mode.IMAGE:
        app = _container("app", "<image>", _PULLING)
    if mode is Mode.MEMORY:
        app = _container("app", "<image>", _BACKING_OFF, 41) | {"lastState": _KILLED}
    proxy = _container("proxy", PROXY, _RUNNING)
    return Template(
        {
            "phase": "Pending" if mode is Mode.IMAGE else "Running",
            "conditions": _pod_conditions(mode),
            "hostIP": "<host>",
            "hostIPs": [{"ip": "<host>"}],
            "podIP": "<address>",
            "podIPs": [{"ip": "<address>"}],
            "startTime": BORN,
            "containerStatuses": [app, proxy],
            "qosClass": "Guaranteed",
        }
    )


def _pod_conditions(mode: Mode) -> list[Json]:
    ready = ("True",) if mode is Mode.HEALTHY else ("False", "ContainersNotReady", _NOT_READY)
    return [
        _condition("PodReadyToStartContainers", "True"),
        _condition("Initialized", "True"),
        _condition("Ready", *ready),
        _condition("ContainersReady", *ready),
        _condition("PodScheduled", "True"),
    ]


@cache
def workload_conditions(mode: Mode) -> str:
    if mode is Mode.HEALTHY:
        available = ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
        progress = ("True", "NewReplicaSetAvailable", "ReplicaSet has successfully progressed.")
    else:
        available = (
            "False",
            "MinimumReplicasUnavailable",
            "Deployment does not have minimum availability.",
        )
        progress = ("False", "ProgressDeadlineExceeded", "ReplicaSet has timed out progressing.")
    return json.dumps([_condition("Available", *available), _condition("Progressing", *progress)])


_NODE_PROBLEMS = (
    "ContainerRuntimeProblem FilesystemCorruptionProblem FrequentContainerdRestart "
    "FrequentDockerRestart FrequentKubeletRestart FrequentUnregisterNetDevice KernelDeadlock "
    "KubeletProblem ReadonlyFilesystem VMEventScheduled NetworkUnavailable MemoryPressure "
    "PIDPressure"
)
SICK_TAINTS = json.dumps([{"effect": "NoSchedule", "key": "node.kubernetes.io/disk-pressure"}])


class Disk(Enum):
    ROOMY = ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure")
    FULL = ("True", "KubeletHasDiskPressure", "kubelet has disk pressure")


@cache
def node_conditions(disk: Disk) -> str:
    quiet = [
        _condition(kind, "False", f"No{kind}", f"{kind} is not present")
        for kind in _NODE_PROBLEMS.split()
    ]
    ready = _condition("Ready", "True", "KubeletReady", "kubelet is posting ready status")
    pressure = _condition("DiskPressure", *disk.value)
    beats = [
        {**one, "lastHeartbeatTime": "2026-01-10T09:49:00Z"} for one in (*quiet, pressure, ready)
    ]
    return json.dumps(beats, indent=4).replace("\n", "\n" + " " * 16)


class News(NamedTuple):
    """One event as it is told again and again."""

    type: str
    reason: str
    component: str
    message: str
    times: int = 1

    def words(self, about: dict[str, object], kind: str) -> dict[str, object]:
        return {
            "kind": kind,
            "object": about["name"],
            "namespace": about.get("namespace", "default"),
            "object_uid": about.get("uid", about["name"]),
            "field": "spec.containers{app}" if kind == "Pod" else "",
            "reason": self.reason,
            "message": json.dumps(self.message.format(**about))[1:-1],
            "component": self.component,
            "host": about["node"],
            "count": self.times,
            "type": self.type,
        }


POD_NEWS: dict[Mode, tuple[News, ...]] = {
    Mode.HEALTHY: (
        News(
            "Normal",
            "Scheduled",
            "default-scheduler",
            "Successfully assigned {namespace}/{name} to {node}",
        ),
        News(
            "Normal",
            "Pulled",
            "kubelet",
            'Container image "{image}" already present on machine',
        ),
        News("Normal", "Created", "kubelet", "Created container: app"),
        News("Normal", "Started", "kubelet", "Started container app"),
    ),
    Mode.IMAGE: (
        News(
            "Warning",
            "Failed",
            "kubelet",
            'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull and '
            'unpack image "{image}": failed to resolve reference "{image}": {image}: not found',
            42,
        ),
        News("Warning", "Failed", "kubelet", "Error: ImagePullBackOff", 160),
    ),
    Mode.MEMORY: (
        News(
            "Warning",
            "BackOff",
            "kubelet",
            "Back-off restarting failed container app in pod {name}_{namespace}({uid})",
            120,
        ),
    ),
    Mode.CPU: (
        News(
            "Warning",
            "FailedScheduling",
            "default-scheduler",
            "0/{nodes} nodes are available: {nodes} Insufficient cpu. preemption: 0/{nodes} nodes "
            "are available: {nodes} No preemption victims found for incoming pod.",
            30,
        ),
    ),
}
NODE_NEWS = (
    News(
        "Normal", "NodeHasDiskPressure", "kubelet", "Node {name} status is now: NodeHasDiskPressure"
    ),
    News(
        "Warning",
        "EvictionThresholdMet",
        "kubelet",
        "Attempting to reclaim ephemeral-storage",
        12,
    ),
    News(
        "Warning",
        "FreeDiskSpaceFailed",
        "kubelet",
        "Failed to garbage collect required amount of images. Attempted to free 9663676416 bytes, "
        "but only found 0 bytes eligible to free.",
        12,
    ),
)
