"""What Entra ID keeps of an application (its secrets), and the versions that a region offers."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.aks import ManagedCluster
from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

# What stands for the client id of a cluster with a managed identity.
_NO_PRINCIPAL = frozenset({"", "msi"})


class AppSecret(ArmEntity, frozen=True, gc=False):
    """A secret or certificate of an application, as `az ad app credential list` prints it."""

    kind: ClassVar[str] = "application-secret"
    look: ClassVar[str] = "az ad app credential list --id <app-id> -o json"

    display_name: str | None = None
    end_date_time: str | None = None
    app_id: str | None = None
    # The secrets of one list are of one application, though a list does not say of which.
    holder: str = ""

    @property
    def key(self) -> str:
        return self.id.rpartition("/")[2]

    def is_told_of_twice(self, snapshot: "Snapshot") -> bool:
        """Whether another document tells of the same secret, and also whose it is."""
        twins = snapshot.grouped(AppSecret, "key", self.key)
        return not self.app_id and any(one.app_id for one in twins)

    def clusters(self, snapshot: "Snapshot") -> tuple[ManagedCluster, ...]:
        """The clusters that sign in with it; a list alone may be that of the only one."""
        known = [one for one in _principals(snapshot) if not self.app_id or self.app_id == _id(one)]
        return tuple(known) if self.app_id or len(known) == 1 else ()

    def app_of(self, clusters: tuple[ManagedCluster, ...]) -> str:
        """The application that it is of, or the one that the clusters sign in as."""
        return self.app_id or next(map(_id, clusters), "")

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        return (cluster.ref for cluster in self.clusters(snapshot))


def _principals(snapshot: "Snapshot") -> list[ManagedCluster]:
    clusters = snapshot.grouped(ManagedCluster, "kind", ManagedCluster.kind)
    return [cluster for cluster in clusters if _id(cluster) not in _NO_PRINCIPAL]


def _id(cluster: ManagedCluster) -> str:
    profile = cluster.service_principal_profile
    return ((profile and profile.client_id) or "").casefold()


class OfferedVersion(AzureShape, frozen=True, gc=False):
    version: str | None = None
    orchestrator_version: str | None = None
    is_preview: bool | None = None

    @property
    def minor(self) -> str:
        return minor_of(self.version or self.orchestrator_version)


class OfferedVersions(ArmEntity, frozen=True, gc=False):
    """The Kubernetes versions of a region, as `az aks get-versions` prints them."""

    kind: ClassVar[str] = "kubernetes-versions"
    look: ClassVar[str] = "az aks get-versions -l {location} -o json"

    values: list[OfferedVersion] | None = None
    orchestrators: list[OfferedVersion] | None = None

    @property
    def minors(self) -> tuple[str, ...]:
        """The minor versions on offer, oldest first."""
        offered = {one.minor for one in (*(self.values or ()), *(self.orchestrators or ()))}
        return tuple(sorted(offered - {""}, key=lambda minor: int(minor.partition(".")[2])))

    def is_of(self, location: str | None) -> bool:
        """Whether it is the list of a region, or of one that nobody named."""
        return not self.location or not location or self.location == location.casefold()


def minor_of(version: str | None) -> str:
    """The minor version: 1.33 of 1.33.4."""
    found = re.match(r"v?(1\.\d{1,3})(?:\.|$)", version or "")
    return found[1] if found else ""
