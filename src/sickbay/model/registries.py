"""Container registries of Azure, and the pods that wait for an image from one."""

from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.aks import ManagedCluster
from sickbay.model.vaults import Guarded

if TYPE_CHECKING:
    from sickbay.model.kubernetes import ContainerStatus, Pod
    from sickbay.model.snapshot import Snapshot

# Roles that let an identity pull.
PULLERS: Final = (
    "Owner",
    "Contributor",
    "AcrPull",
    "AcrPush",
    "Container Registry Repository Reader",
)
_NO_IMAGE: Final = frozenset({"ImagePullBackOff", "ErrImagePull"})


class ContainerRegistry(Guarded, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ContainerRegistry/registries"
    look: ClassVar[str] = "az acr list -o json"

    login_server: str | None = None

    @property
    def host(self) -> str:
        return (self.login_server or f"{self.name}.azurecr.io").casefold()


def waits_for(pod: "Pod") -> "ContainerStatus | None":
    """The container of a pod whose image cannot be pulled."""
    for container in pod.waiting:
        if container.waiting and container.waiting.reason in _NO_IMAGE:
            return container
    return None


def registry_of(pod: "Pod", snapshot: "Snapshot") -> ContainerRegistry | None:
    """The registry of Azure from which a pod waits for its image; raises where nobody read it."""
    container = waits_for(pod)
    host = (container.image or "").partition("/")[0].casefold() if container else ""
    if not host.endswith(".azurecr.io"):
        return None
    found = snapshot.grouped(ContainerRegistry, "host", host)
    if not found:
        snapshot.require(ContainerRegistry)
        return None
    return found[0]


def only_cluster(snapshot: "Snapshot") -> ManagedCluster | None:
    """The cluster whose pods are in evidence: with several, nobody can tell whose they are."""
    clusters = snapshot.some(ManagedCluster)
    return clusters[0] if len(clusters) == 1 else None
