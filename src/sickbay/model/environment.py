"""What the environment of a pod's containers is taken from, and what of it is not there."""

from typing import Final, NamedTuple

from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.kubernetes import Pod
from sickbay.model.pod_parts import KeySource
from sickbay.model.snapshot import Snapshot

REFUSED: Final = "CreateContainerConfigError"


class Absent(NamedTuple):
    """A container, the kind and name of what it takes values from, and what that lacks."""

    container: str
    kind: str
    source: KeySource
    lack: str

    @property
    def words(self) -> str:
        kind = "secret" if self.kind == Secret.kind else "config map"
        return f"{kind} {self.source.name}, which {self.lack}"


def refused_containers(pod: Pod) -> frozenset[str]:
    """The containers whose configuration the kubelet could not put together."""
    waits = (one for one in pod.waiting if one.waiting and one.waiting.reason == REFUSED)
    return frozenset(one.name for one in waits)


def absent_value(pod: Pod, snapshot: Snapshot) -> Absent | None:
    """The first object or key that a refused container asks for and that is not there.

    Raises UnseenError where nobody looked.
    """
    waiting = refused_containers(pod)
    for container in (*(pod.spec.init_containers or ()), *pod.spec.containers):
        for kind, source in container.sources if container.name in waiting else ():
            lack = "" if source.optional else _lack(pod, kind, source, snapshot)
            if lack:
                return Absent(container.name, kind, source, lack)
    return None


def _lack(pod: Pod, kind: str, source: KeySource, snapshot: Snapshot) -> str:
    ref = kube(kind, pod.namespace, source.name or "")
    found = snapshot.get(ref, Secret if kind == Secret.kind else ConfigMap)
    if found is None:
        return "does not exist"
    keys = found.keys if isinstance(found, Secret | ConfigMap) else None
    return f"has no key {source.key}" if source.key and keys and source.key not in keys else ""
