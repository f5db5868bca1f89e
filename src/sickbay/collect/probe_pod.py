"""The pod of a probe: short-lived, with limits, and with no more rights than its looks need."""

import os
from typing import Any, Final

from sickbay.record import NamedTuple

IMAGE: Final = "mcr.microsoft.com/azurelinux/busybox:1.36"
PREFIX: Final = "sickbay-probe-"
LABEL: Final = "app.kubernetes.io/name=sickbay-probe"
_LIVES: Final = 90
_LIMITS: Final = {"cpu": "100m", "memory": "64Mi"}
_NOBODY: Final = 65534


class Wish(NamedTuple):
    """What the user asked for beyond a probe: where it runs, what image, and a look at the node."""

    namespace: str = "default"
    node: str = ""
    image: str = IMAGE
    is_host: bool = False


def pod_name() -> str:
    """A name that no other run has."""
    return PREFIX + os.urandom(4).hex()


def manifest(name: str, script: str, wish: Wish) -> dict[str, Any]:
    """The pod that runs a script once and then is over."""
    container: dict[str, Any] = {
        "name": "probe",
        "image": wish.image,
        "command": ["sh", "-c", script],
        "resources": {"limits": _LIMITS, "requests": {"cpu": "10m", "memory": "16Mi"}},
        "securityContext": _on_host() if wish.is_host else _as_nobody(),
    }
    spec: dict[str, Any] = {
        "restartPolicy": "Never",
        "activeDeadlineSeconds": _LIVES,
        "terminationGracePeriodSeconds": 0,
        "enableServiceLinks": False,
        # A look at the API with the token of a pod is one of the looks; one at a node needs none.
        "automountServiceAccountToken": not wish.is_host,
        "tolerations": [{"operator": "Exists"}],
        "containers": [container],
    }
    if wish.node:
        # Past the scheduler: a probe must also work where that is the fault.
        spec["nodeName"] = wish.node
    else:
        spec["nodeSelector"] = {"kubernetes.io/os": "linux"}
    if wish.is_host:
        spec["hostNetwork"] = True
        spec["volumes"] = [{"name": "host", "hostPath": {"path": "/"}}]
        container["volumeMounts"] = [{"name": "host", "mountPath": "/host", "readOnly": True}]
    key, _, value = LABEL.partition("=")
    metadata = {"name": name, "namespace": wish.namespace, "labels": {key: value}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _as_nobody() -> dict[str, Any]:
    """What the strictest of the pod security levels asks for."""
    return {
        "runAsNonRoot": True,
        "runAsUser": _NOBODY,
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def _on_host() -> dict[str, Any]:
    """Enough to list the rules of a node's kernel and to run the node's own programs."""
    return {
        "runAsUser": 0,
        "readOnlyRootFilesystem": True,
        "capabilities": {"add": ["NET_ADMIN", "NET_RAW", "SYS_CHROOT"]},
    }
