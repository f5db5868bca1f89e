"""What things stand on: the chains along which a fault is felt."""

import pytest

from sickbay.engine.kinship import Kinship
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.aso import AsoObject, AsoOwner, AsoSpec
from sickbay.model.azure import (
    Provider,
    Reference,
    ScaleSet,
    ScaleSetInstance,
    Subnet,
    Subscription,
    VirtualNetwork,
)
from sickbay.model.entity import Entity, Metadata, OwnerReference
from sickbay.model.fabric import InternalNetwork, L3IsolationDomain
from sickbay.model.hybrid import (
    CloudProviderProfile,
    HybridNetwork,
    InfraNetworkProfile,
    InfraVnetProfile,
    NetworkCloudProfile,
    ProvisionedCluster,
)
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.kubernetes import ClaimSource, Node, NodeSpec, Pod, PodSpec, Volume
from sickbay.model.nexus import L3Network, NexusCluster
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import ClaimSpec, PersistentVolumeClaim
from sickbay.model.workloads import (
    Ingress,
    IngressBackend,
    IngressService,
    IngressSpec,
    LabelSelector,
    PdbSpec,
    PodDisruptionBudget,
    Service,
    ServiceSpec,
)

GROUP = "/subscriptions/s/resourceGroups/g/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/prod"
POOL = f"{CLUSTER}/agentPools/np1"
NETWORK = f"{GROUP}/Microsoft.Network/virtualNetworks/v"
SUBNET = f"{NETWORK}/subnets/nodes"
FIREWALL = f"{GROUP}/Microsoft.Network/networkSecurityGroups/n"
SCALE_SET = f"{GROUP}/Microsoft.Compute/virtualMachineScaleSets/aks-np1"
INSTANCE = f"{SCALE_SET}/virtualMachines/3"
SITE = f"{GROUP}/Microsoft.NetworkCloud/clusters/site"
L3 = f"{GROUP}/Microsoft.NetworkCloud/l3Networks/l3"
WRAPPED = f"{GROUP}/Microsoft.HybridContainerService/virtualNetworks/vnet"
HYBRID = f"{GROUP}/Microsoft.HybridContainerService/provisionedClusters/edge"
DOMAIN = f"{GROUP}/Microsoft.ManagedNetworkFabric/l3IsolationDomains/domain"


def named(name: str, namespace: str = "shop", **labels: str) -> Metadata:
    return Metadata(name=name, namespace=namespace, labels=labels)


AKS: tuple[Entity, ...] = (
    ManagedCluster(id=CLUSTER, name="prod", agent_pool_profiles=[AgentPool(name="np1")]),
    AgentPool(id=POOL, name="np1", vnet_subnet_id=SUBNET.upper()),
    Subnet(id=SUBNET, name="nodes", network_security_group=Reference(id=FIREWALL)),
    ScaleSet(id=SCALE_SET, name="aks-np1", tags={"aks-managed-poolName": "np1"}),
    ScaleSetInstance(id=INSTANCE, name="3"),
    Node(metadata=named("n1", ""), spec=NodeSpec(provider_id=f"azure://{INSTANCE}")),
    Pod(
        metadata=Metadata(
            name="web-7d9-x",
            namespace="shop",
            labels={"app": "web"},
            owner_references=[OwnerReference("ReplicaSet", "web-7d9", controller=True)],
        ),
        spec=PodSpec(
            node_name="n1",
            volumes=[Volume("data", persistent_volume_claim=ClaimSource("data-web"))],
        ),
    ),
    PersistentVolumeClaim(
        metadata=named("data-web"), spec=ClaimSpec(volume_name="pv-1", storage_class_name="fast")
    ),
    Service(metadata=named("web"), spec=ServiceSpec(selector={"app": "web"})),
    Ingress(
        metadata=named("front"),
        spec=IngressSpec(default_backend=IngressBackend(IngressService("web"))),
    ),
    PodDisruptionBudget(
        metadata=named("keep"), spec=PdbSpec(selector=LabelSelector({"app": "web"}))
    ),
)
EDGE: tuple[Entity, ...] = (
    ProvisionedCluster(
        id=HYBRID,
        cloud_provider_profile=CloudProviderProfile(InfraNetworkProfile([WRAPPED])),
    ),
    HybridNetwork(
        id=WRAPPED, infra_vnet_profile=InfraVnetProfile(NetworkCloudProfile(network_id=L3))
    ),
    L3Network(id=L3, cluster_id=SITE, l3_isolation_domain_id=DOMAIN),
    NexusCluster(id=SITE),
    L3IsolationDomain(id=DOMAIN),
    InternalNetwork(id=f"{DOMAIN}/internalNetworks/one"),
)
POD = kube("Pod", "shop", "web-7d9-x")


def below(ref: Ref, *entities: Entity) -> frozenset[Ref]:
    return Kinship(Snapshot(entities or (*AKS, *EDGE))).stands_on(ref)


@pytest.mark.parametrize(
    ("thing", "ground"),
    [
        (arm(POOL), arm(CLUSTER)),
        (arm(POOL), arm(SUBNET)),
        (arm(POOL), arm(FIREWALL)),
        (arm(SUBNET), arm(NETWORK)),
        (arm(INSTANCE), arm(POOL)),
        (kube("Node", "", "n1"), arm(INSTANCE)),
        (kube("Node", "", "n1"), arm(SCALE_SET)),
        (kube("Node", "", "n1"), arm(CLUSTER)),
        (POD, kube("Node", "", "n1")),
        (POD, arm(SUBNET)),
        (POD, kube("PersistentVolumeClaim", "shop", "data-web")),
        (POD, kube("PersistentVolume", "", "pv-1")),
        (POD, kube("StorageClass", "", "fast")),
        (POD, kube("ReplicaSet", "shop", "web-7d9")),
        (POD, kube("Deployment", "shop", "web")),
        (kube("Service", "shop", "web"), POD),
        (kube("Ingress", "shop", "front"), POD),
        (kube("PodDisruptionBudget", "shop", "keep"), POD),
        (arm(HYBRID), arm(WRAPPED)),
        (arm(HYBRID), arm(L3)),
        (arm(HYBRID), arm(DOMAIN)),
        (arm(HYBRID), arm(SITE)),
    ],
)
def test_a_thing_stands_on_its_ground(thing: Ref, ground: Ref) -> None:
    assert ground in below(thing)


@pytest.mark.parametrize(
    ("thing", "stranger"),
    [
        (arm(CLUSTER), arm(POOL)),
        (arm(SUBNET), arm(POOL)),
        (kube("Node", "", "n1"), POD),
        (POD, kube("Service", "shop", "web")),
        (arm(SITE), arm(HYBRID)),
    ],
)
def test_nothing_stands_on_what_it_carries(thing: Ref, stranger: Ref) -> None:
    assert stranger not in below(thing)


def test_two_pools_of_one_cluster_are_no_kin() -> None:
    other = AgentPool(id=f"{CLUSTER}/agentPools/np2", name="np2")
    kinship = Kinship(Snapshot([*AKS, other]))
    assert not kinship.related(arm(POOL), other.ref)


def test_a_thing_that_cannot_be_placed_is_not_excluded() -> None:
    assert Kinship(Snapshot(AKS)).related(kube("Node", "", "unheard-of"), arm(SUBNET))


def test_links_that_run_in_a_circle_end() -> None:
    one = Ingress(metadata=named("a"))
    loop = AgentPool(id=POOL, name="np1", vnet_subnet_id=POOL)
    assert below(arm(POOL), one, loop) == {arm(POOL), arm(CLUSTER)}


def test_a_cluster_holds_its_pools() -> None:
    cluster = ManagedCluster(id=CLUSTER, name="prod", agent_pool_profiles=[AgentPool(name="np1")])
    assert [child.ref for child in cluster.children()] == [arm(POOL)]


def test_a_network_holds_its_subnets_with_or_without_their_ids() -> None:
    network = VirtualNetwork(
        id=NETWORK, subnets=[Subnet(name="nodes"), Subnet(id=f"{NETWORK}/x/y")]
    )
    assert [child.ref for child in network.children()] == [arm(SUBNET), arm(f"{NETWORK}/x/y")]


def test_a_budget_stands_on_no_pod_of_another_namespace() -> None:
    pods = [Pod(metadata=named("a", app="web")), Pod(metadata=named("b", "other", app="web"))]
    budget = PodDisruptionBudget(
        metadata=named("keep"), spec=PdbSpec(selector=LabelSelector({"app": "web"}))
    )
    assert list(budget.links(Snapshot(pods))) == [pods[0].ref]


def test_a_service_without_a_selector_stands_on_no_pod() -> None:
    pods = [Pod(metadata=named("a", app="web"))]
    assert list(Service(metadata=named("web")).links(Snapshot(pods))) == []


def aso(kind: str, name: str, owner: AsoOwner | None = None) -> AsoObject:
    return AsoObject(
        metadata=named(name),
        api_version="containerservice.azure.com/v1api20231001",
        object_kind=kind,
        spec=AsoSpec(owner=owner),
    )


def test_an_object_of_the_service_operator_stands_on_its_owner() -> None:
    group, cluster = aso("ResourceGroup", "g"), aso("ManagedCluster", "prod", AsoOwner("g"))
    pool = aso("ManagedClustersAgentPool", "np1", AsoOwner("prod"))
    assert {group.ref, cluster.ref} <= below(pool.ref, group, cluster, pool)


def test_a_failed_resource_is_unwell_and_a_running_one_is_not() -> None:
    assert ManagedCluster(id=CLUSTER, provisioning_state="FAILED").is_unwell
    assert not ManagedCluster(id=CLUSTER, provisioning_state="Updating").is_unwell


@pytest.mark.parametrize("state", ["Warned", "Disabled", "deleted", "PastDue"])
def test_a_subscription_that_cannot_be_used_is_unwell(state: str) -> None:
    assert Subscription(id="/subscriptions/s", state=state).is_unwell
    assert not Subscription(id="/subscriptions/s", state="Enabled").is_unwell


@pytest.mark.parametrize("state", ["NotRegistered", "Unregistered"])
def test_a_provider_that_is_not_registered_is_unwell(state: str) -> None:
    assert Provider(registration_state=state).is_unwell
    assert not Provider(registration_state="Registering").is_unwell
