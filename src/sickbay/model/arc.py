"""Azure Arc: resource bridges with their configuration files, connected clusters, extensions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from sickbay.model.entity import ArmEntity, AzureShape, ErrorDetail, KubeEntity, Shape
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.kubernetes import Pod
from sickbay.model.vcenter import PRIVILEGE_LABELS

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot

# The appliance keeps these for its own pods and services.
POD_CIDR: Final = "10.244.0.0/16"
SERVICE_CIDR: Final = "10.96.0.0/12"
# Providers without which a bridge or a connected cluster cannot report to Azure.
BRIDGE_PROVIDERS: Final = ("Microsoft.ResourceConnector", "Microsoft.ExtendedLocation")
CLUSTER_PROVIDERS: Final = ("Microsoft.Kubernetes", "Microsoft.KubernetesConfiguration")
AGENT_NAMESPACE: Final = "azure-arc"
VCENTER_PRIVILEGES: Final = frozenset(PRIVILEGE_LABELS)
# How operations on a bridge that runs end badly; each state stays until the operation is repeated.
_FAILED_UPGRADES: Final = frozenset(
    "upgradefailed etcdsnapshotfailed upgradeclusterextensionfailedtodelete imageunknown".split()
)
_FAILED_UPDATES: Final = frozenset(
    "networkproxyupdatefailed networkdnsupdatefailed arcgatewayupdatefailed".split()
)


class Appliance(ArmEntity, frozen=True, gc=False):
    """An Arc resource bridge, as Azure knows it."""

    kind: ClassVar[str] = "Microsoft.ResourceConnector/appliances"
    look: ClassVar[str] = "az arcappliance show -g {resource_group} -n {name} -o json"

    status: str | None = None
    version: str | None = None

    @property
    def word(self) -> str:
        """The status in lower case, for comparison."""
        return (self.status or "").casefold()

    @property
    def has_failed_to_start(self) -> bool:
        """Whether Azure holds it both for failed and for silent."""
        return self.word == "offline" and (self.provisioning_state or "").casefold() == "failed"

    @property
    def runs(self) -> bool:
        return self.word in {"running", "connected"}

    @property
    def failed_to_upgrade(self) -> bool:
        return self.word in _FAILED_UPGRADES

    @property
    def failed_to_update(self) -> bool:
        """Whether a change of its proxy, DNS servers or gateway ended badly."""
        return self.word in _FAILED_UPDATES

    @property
    def is_unwell(self) -> bool:
        state = (self.provisioning_state or "").casefold()
        ended_badly = self.failed_to_upgrade or self.word.endswith("failed")
        return state == "failed" or self.word in {"offline", "disconnected"} or ended_badly


class AgentError(AzureShape, frozen=True, gc=False):
    message: str | None = None
    component: str | None = None
    time: str | None = None


class ArcAgentProfile(AzureShape, frozen=True, gc=False):
    agent_state: str | None = None
    agent_errors: list[AgentError] | None = None


class ConnectedCluster(ArmEntity, frozen=True, gc=False):
    """A Kubernetes cluster that is connected to Azure Arc."""

    kind: ClassVar[str] = "Microsoft.Kubernetes/connectedClusters"
    look: ClassVar[str] = "az connectedk8s show -g {resource_group} -n {cluster} -o json"

    connectivity_status: str | None = None
    last_connectivity_time: str | None = None
    managed_identity_certificate_expiration_time: str | None = None
    agent_version: str | None = None
    arc_agent_profile: ArcAgentProfile | None = None

    @property
    def connectivity(self) -> str:
        return (self.connectivity_status or "").casefold()

    @property
    def is_unwell(self) -> bool:
        state = (self.provisioning_state or "").casefold()
        return state == "failed" or self.connectivity in {"offline", "expired"}

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:
        """Its agents, where only one connected cluster is in evidence: pods do not say whose."""
        if len(snapshot.some(ConnectedCluster)) == 1:
            for pod in snapshot.in_namespace(Pod, AGENT_NAMESPACE):
                yield pod.ref


def agents_of(snapshot: "Snapshot") -> Ref:
    """Whose agents the pods in evidence are: the one connected cluster, or their namespace."""
    clusters = snapshot.some(ConnectedCluster) if snapshot.holds(ConnectedCluster.kind) else ()
    return clusters[0].ref if len(clusters) == 1 else kube("Namespace", "", AGENT_NAMESPACE)


class ExtensionStatus(AzureShape, frozen=True, gc=False):
    code: str | None = None
    level: str | None = None
    message: str | None = None


class ClusterExtension(ArmEntity, frozen=True, gc=False):
    """An extension on a connected cluster, a bridge or an AKS cluster."""

    kind: ClassVar[str] = "Microsoft.KubernetesConfiguration/extensions"
    look: ClassVar[str] = (
        "az k8s-extension list -g {resource_group} -c {cluster} -t connectedClusters -o json"
    )

    extension_type: str | None = None
    statuses: list[ExtensionStatus] | None = None
    error_info: ErrorDetail | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.id.rpartition("/providers/")[0])


class FluxConfiguration(ArmEntity, frozen=True, gc=False):
    """What Flux shall keep a cluster in line with, and whether it does."""

    kind: ClassVar[str] = "Microsoft.KubernetesConfiguration/fluxConfigurations"
    look: ClassVar[str] = (
        "az k8s-configuration flux list -g {resource_group} -c {cluster} -t connectedClusters "
        "-o json"
    )

    compliance_state: str | None = None
    error_message: str | None = None

    @property
    def is_unwell(self) -> bool:
        state = (self.provisioning_state or "").casefold()
        return state == "failed" or (self.compliance_state or "").casefold() == "non-compliant"

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.id.rpartition("/providers/")[0])


class CustomLocation(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.ExtendedLocation/customLocations"
    look: ClassVar[str] = "az customlocation list -o json"

    host_resource_id: str | None = None
    namespace: str | None = None
    cluster_extension_ids: list[str] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.host_resource_id:
            yield arm(self.host_resource_id)
        for id in self.cluster_extension_ids or ():
            yield arm(id)


class NamedHost(Shape, frozen=True, gc=False):
    """A host that a configuration file names, and the setting that names it."""

    setting: str = ""
    host: str = ""


class Proxy(Shape, frozen=True, gc=False):
    """What is exempt from the proxy, and the URLs of the proxy without users and passwords."""

    no_proxy: str | None = None
    urls: list[str] | None = None

    @property
    def bad_url(self) -> str:
        """The first URL that no client can use, or an empty string."""
        return next((url for url in self.urls or () if url.count("://") != 1 or " " in url), "")


class ApplianceFile(KubeEntity, frozen=True, gc=False):
    """One of the three files that a bridge is deployed from; all bear the name of the bridge."""

    hosts: list[NamedHost] | None = None
    proxy: Proxy | None = None

    @property
    def own_domain_hosts(self) -> list[NamedHost]:
        """The hosts with names under .local."""
        return [named for named in self.hosts or () if _is_local(named.host)]

    def facts(self, snapshot: "Snapshot") -> dict[str, str]:
        """The name of the Azure resource that the files are for, where their third one tells it."""
        target = snapshot.find(kube(ApplianceTarget.kind, "", self.name))
        resource = target.resource if isinstance(target, ApplianceTarget) else None
        return {"name": resource} if resource else {}

    @property
    def proxies(self) -> list[NamedHost]:
        return [named for named in self.hosts or () if "proxy" in named.setting.casefold()]


class ApplianceInfra(ApplianceFile, frozen=True, gc=False):
    """`<name>-infra.yaml`: the private cloud, and the addresses of the appliance in it."""

    kind: ClassVar[str] = "ApplianceInfra"
    look: ClassVar[str] = "cat <name>-infra.yaml"

    provider: str | None = None
    prefix: str | None = None
    gateway: str | None = None
    dns_servers: list[str] | None = None
    pool_start: str | None = None
    pool_end: str | None = None
    control_plane: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield kube(ApplianceSettings.kind, "", self.name)

    @property
    def fabric(self) -> str:
        """The address of vCenter, the VMM server or the cloud agent, or an empty string."""
        hosts = (named for named in self.hosts or () if ".credentials." in f".{named.setting}")
        return next((named.host for named in hosts), "")

    def control_plane_address(self, snapshot: "Snapshot") -> str:
        """The control plane address: older files have it here, others in the settings."""
        if self.control_plane:
            return self.control_plane
        settings = snapshot.find(kube(ApplianceSettings.kind, "", self.name))
        return (isinstance(settings, ApplianceSettings) and settings.control_plane) or ""


class ApplianceSettings(ApplianceFile, frozen=True, gc=False):
    """`<name>-appliance.yaml`: the control plane of the appliance and its proxy."""

    kind: ClassVar[str] = "ApplianceSettings"
    look: ClassVar[str] = "cat <name>-appliance.yaml"

    control_plane: str | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield kube(ApplianceTarget.kind, "", self.name)


class ApplianceTarget(ApplianceFile, frozen=True, gc=False):
    """`<name>-resource.yaml`: which Azure resource the bridge is to become."""

    kind: ClassVar[str] = "ApplianceTarget"
    look: ClassVar[str] = "cat <name>-resource.yaml"

    subscription: str | None = None
    resource_group: str | None = None
    resource: str | None = None
    location: str | None = None

    @property
    def resource_id(self) -> str:
        """The ARM id that deployment will ask for."""
        return (
            f"/subscriptions/{self.subscription or ''}/resourceGroups/{self.resource_group or ''}"
            f"/providers/{Appliance.kind}/{self.resource or ''}"
        )

    def is_for(self, appliance: Appliance) -> bool:
        return (self.resource or "").casefold() == appliance.name.casefold()

    def difference(self, appliance: Appliance) -> str:
        """What the file says otherwise than Azure, as a sentence; the first that there is."""
        pairs = (
            ("location", appliance.location, self.location),
            ("subscription", appliance.ref.subscription, self.subscription),
            ("resource group", appliance.ref.group, self.resource_group),
        )
        for what, there, here in pairs:
            if there and here and _squeezed(there) != _squeezed(here):
                return f"its {what} is {there}, but the file of the appliance says {here}"
        return ""

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.resource_id)


class VcenterRole(KubeEntity, frozen=True, gc=False):
    """The privileges of a vCenter account, one list of ids."""

    kind: ClassVar[str] = "VcenterRole"
    look: ClassVar[str] = "govc role.ls <role>"

    privileges: list[str] | None = None

    @property
    def missing(self) -> list[str]:
        """The privileges that a bridge needs and this account lacks."""
        held = {privilege.casefold() for privilege in self.privileges or ()}
        return sorted(needed for needed in VCENTER_PRIVILEGES if needed.casefold() not in held)


def _squeezed(name: str) -> str:
    return name.replace(" ", "").casefold()


def _is_local(host: str) -> bool:
    labels = host.rstrip(".").casefold().split(".")
    # Names inside a cluster end in cluster.local, and a cluster resolves them itself.
    return len(labels) > 1 and labels[-1] == "local" and labels[-2] != "cluster"
