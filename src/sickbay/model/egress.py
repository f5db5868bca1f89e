"""What Azure itself says that the nodes of a cluster must reach outside."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.aks import ManagedCluster
    from sickbay.model.snapshot import Snapshot


class EndpointDetail(AzureShape, frozen=True, gc=False):
    port: int | None = None
    protocol: str | None = None


class EndpointDependency(AzureShape, frozen=True, gc=False):
    domain_name: str | None = None
    endpoint_details: list[EndpointDetail] | None = None


class EndpointCategory(AzureShape, frozen=True, gc=False):
    category: str | None = None
    endpoints: list[EndpointDependency] | None = None


class RequiredEndpoints(ArmEntity, frozen=True, gc=False):
    """The list of one cluster; one that was saved alone does not name its cluster."""

    kind: ClassVar[str] = (
        "Microsoft.ContainerService/managedClusters/outboundNetworkDependenciesEndpoints"
    )
    # `az aks egress-endpoints list` prints the same, with the extension aks-preview.
    look: ClassVar[str] = (
        "az rest --method get --url /subscriptions/{subscription}/resourceGroups/{resource_group}"
        "/providers/Microsoft.ContainerService/managedClusters/{cluster}"
        "/outboundNetworkDependenciesEndpoints?api-version=2025-05-01"
    )

    categories: list[EndpointCategory] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.ref.is_arm:
            yield arm(self.id.rpartition("/")[0])


def endpoints_of(snapshot: "Snapshot", cluster: "ManagedCluster") -> RequiredEndpoints | None:
    """The list of a cluster; of the only cluster, the only list that names none."""
    found = snapshot.grouped(RequiredEndpoints, "kind", RequiredEndpoints.kind)
    own = f"{cluster.ref.key}/{RequiredEndpoints.kind.rpartition('/')[2].casefold()}"
    if named := [one for one in found if one.ref.key == own]:
        return named[0]
    clusters = snapshot.grouped(type(cluster), "kind", cluster.kind)
    nameless = [one for one in found if not one.ref.is_arm]
    return nameless[0] if len(nameless) == 1 and len(clusters) == 1 else None
