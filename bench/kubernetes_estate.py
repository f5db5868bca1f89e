"""The objects of a big cluster that stands still: nodes, pods, events, and 300 faults of 20 kinds."""

from dataclasses import dataclass
from typing import Any

FAULTS = 300
_TIME = "2026-11-17T10:00:00Z"


@dataclass(frozen=True)
class Kind:
    """A kind of fault: what it makes of a pod's status, its event, and what it is called."""

    expect: str
    status: dict[str, Any]
    reason: str
    message: str
    unplaced: bool = False


def _waits(reason: str, message: str = "") -> dict[str, Any]:
    return {"state": {"waiting": {"reason": reason, "message": message}}, "restartCount": 0}


def _crashes(code: int, why: str = "Error", message: str = "") -> dict[str, Any]:
    ended = {"exitCode": code, "reason": why, "message": message, "finishedAt": _TIME}
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}}
    return {"state": waiting, "lastState": {"terminated": ended}, "restartCount": 12}


_PULL = 'failed to resolve reference "contoso.azurecr.io/web:2"'
_NODES = "0/1000 nodes are available: 1000"

KINDS = (
    Kind("kubernetes.image_not_found", _waits("ImagePullBackOff"), "Failed", f'Failed to pull image "contoso.azurecr.io/web:2": rpc error: code = NotFound desc = {_PULL}: contoso.azurecr.io/web:2: not found'),
    Kind("kubernetes.registry_unauthorised", _waits("ImagePullBackOff"), "Failed", f'Failed to pull image "contoso.azurecr.io/web:2": {_PULL}: failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized'),
    Kind("kubernetes.registry_unreachable", _waits("ImagePullBackOff"), "Failed", f'Failed to pull image "contoso.azurecr.io/web:2": {_PULL}: failed to do request: Head "https://contoso.azurecr.io/v2/web/manifests/2": dial tcp 192.0.2.9:443: i/o timeout'),
    Kind("kubernetes.image_never_pulled", _waits("ErrImageNeverPull", 'Container image "web:2" is not present with pull policy of Never'), "ErrImageNeverPull", 'Container image "web:2" is not present with pull policy of Never'),
    Kind("kubernetes.image_name_invalid", _waits("InvalidImageName", "Failed to apply default image tag"), "InspectFailed", 'Failed to apply default image tag "Web:2": couldn\'t parse image name "Web:2": invalid reference format'),
    Kind("kubernetes.oom_killed", _crashes(137, "OOMKilled"), "BackOff", "Back-off restarting failed container app"),
    Kind("kubernetes.program_fails", _crashes(1), "BackOff", "Back-off restarting failed container app"),
    Kind("kubernetes.command_missing", _crashes(127), "BackOff", "Back-off restarting failed container app"),
    Kind("kubernetes.exits_at_once", _crashes(0, "Completed"), "BackOff", "Back-off restarting failed container app"),
    Kind("kubernetes.config_missing", _waits("CreateContainerConfigError", 'secret "login" not found'), "Failed", 'Error: secret "login" not found'),
    Kind("kubernetes.runs_as_root", _waits("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"), "Failed", "Error: container has runAsNonRoot and image will run as root"),
    Kind("kubernetes.probe_refused", {"state": {"running": {"startedAt": _TIME}}, "restartCount": 0}, "Unhealthy", 'Readiness probe failed: Get "http://10.244.1.9:8080/": dial tcp 10.244.1.9:8080: connect: connection refused'),
    Kind("kubernetes.probe_bad_answer", {"state": {"running": {"startedAt": _TIME}}, "restartCount": 0}, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
    Kind("kubernetes.host_port_taken", {}, "FailedScheduling", f"{_NODES} node(s) didn't have free ports for the requested pod ports.", True),
    Kind("kubernetes.spread_unsatisfiable", {}, "FailedScheduling", f"{_NODES} node(s) didn't match pod topology spread constraints.", True),
    Kind("kubernetes.volume_zone_conflict", {}, "FailedScheduling", f"{_NODES} node(s) had volume node affinity conflict.", True),
    Kind("kubernetes.cni_addresses_exhausted", _waits("ContainerCreating"), "FailedCreatePodSandBox", 'Failed to create pod sandbox: plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254'),
    Kind("kubernetes.host_path_wrong", _waits("ContainerCreating"), "FailedMount", 'MountVolume.SetUp failed for volume "data" : hostPath type check failed: /data is not a directory'),
    Kind("kubernetes.seccomp_profile_missing", _waits("CreateContainerError"), "Failed", "Error: failed to generate security options: cannot load seccomp profile \"/var/lib/kubelet/seccomp/audit.json\": open /var/lib/kubelet/seccomp/audit.json: no such file or directory"),
    Kind("kubernetes.subpath_mount_fails", _waits("CreateContainerConfigError"), "Failed", 'Error: failed to prepare subPath for volumeMount "settings" of container "app"'),
)  # fmt: skip


@dataclass(frozen=True)
class Estate:
    """A cluster with 300 faults, whatever its size."""

    nodes: int = 1_000
    pods: int = 20_000
    events: int = 5_000

    def part(self, share: int) -> "Estate":
        """The same, so many times smaller."""
        return Estate(self.nodes // share, self.pods // share, self.events // share)

    @property
    def _every(self) -> int:
        return self.pods // FAULTS

    def kind_of(self, number: int) -> Kind | None:
        """The fault of a pod; the ill ones are spread evenly over all."""
        fault, rest = divmod(number, self._every)
        return KINDS[fault % len(KINDS)] if not rest and fault < FAULTS else None

    def pod(self, number: int) -> dict[str, Any]:
        fault = self.kind_of(number)
        container = {"name": "app", "image": "contoso.azurecr.io/web:2"}
        request = {"requests": {"cpu": "100m", "memory": "128Mi"}}
        spec: dict[str, Any] = {"containers": [{**container, "resources": request}]}
        if not (fault and fault.unplaced):
            spec["nodeName"] = f"node-{number % self.nodes}"
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"web-{number}", "labels": {"app": f"web-{number % 200}"}},
            "spec": spec,
            "status": _status(number, fault),
        }

    def event(self, number: int) -> dict[str, Any]:
        is_fault = number < FAULTS
        about = number * self._every if is_fault else number * 3 + 1
        fault = self.kind_of(about) if is_fault else None
        reason, message = (
            (fault.reason, fault.message) if fault else ("Started", "Started container app")
        )
        return {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": f"web-{about}.{number:x}", "namespace": "default"},
            "involvedObject": {"kind": "Pod", "namespace": "default", "name": f"web-{about}"},
            "reason": reason,
            "message": message,
            "type": "Warning" if fault else "Normal",
            "count": 20 if fault else 1,
            "firstTimestamp": _TIME,
            "lastTimestamp": "2026-11-17T10:59:00Z",
        }


def node(number: int) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": "True", "reason": "KubeletReady"}]
    conditions += [{"type": kind, "status": "False"} for kind in _PRESSURES]
    for one in conditions:
        one |= {"lastHeartbeatTime": "2026-11-17T11:00:00Z", "lastTransitionTime": _TIME}
    room = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    labels = {"kubernetes.io/hostname": f"node-{number}", "kubernetes.io/os": "linux"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{number}", "labels": labels},
        "status": {"conditions": conditions, "capacity": room, "allocatable": room},
    }


_PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure")


def _status(number: int, fault: Kind | None) -> dict[str, Any]:
    if fault and fault.unplaced:
        placed = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
        return {"phase": "Pending", "conditions": [{**placed, "message": fault.message}]}
    shape: dict[str, Any] = fault.status if fault else {"state": {"running": {"startedAt": _TIME}}}
    state = {"name": "app", "image": "contoso.azurecr.io/web:2", "imageID": "", "restartCount": 0}
    is_up = "running" in shape["state"] or "lastState" in shape
    ready = "False" if fault else "True"
    conditions = [{"type": kind, "status": ready} for kind in ("Ready", "ContainersReady")]
    return {
        "phase": "Running" if is_up else "Pending",
        "podIP": f"10.{number // 65536}.{number // 256 % 256}.{number % 256}",
        "conditions": [*conditions, {"type": "PodScheduled", "status": "True"}],
        "containerStatuses": [{**state, "ready": fault is None, **shape}],
    }
