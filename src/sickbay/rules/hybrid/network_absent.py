from sickbay.model.hybrid import HybridNetwork, ProvisionedCluster, is_cloud_network
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(HybridNetwork)
def wraps_nothing(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    if not is_cloud_network(vnet.network_id):
        return None
    if vnet.network(snapshot) is not None:
        return Clear(f"the network of {vnet.name} exists")
    return Match(
        f"{vnet.name} wraps {vnet.network_id}, which does not exist",
        facts={"vnet": vnet.name, "network": vnet.network_id},
        cites=(vnet.cite("properties.infraVnetProfile.networkCloud.networkId", vnet.network_id),),
    )


@each(ProvisionedCluster)
def names_nothing(cluster: ProvisionedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.network_ids:
        return None
    absent = cluster.absent_networks(snapshot)
    if not absent:
        return Clear(f"the virtual networks of {cluster.name} exist")
    return Match(
        f"{cluster.name} names {absent[0]}, which does not exist",
        facts={"vnet": absent[0].rpartition("/")[2], "network": absent[0]},
        cites=(
            cluster.cite(
                "properties.cloudProviderProfile.infraNetworkProfile.vnetSubnetIds", absent[0]
            ),
        ),
    )


RULE = Rule(
    title="An AKS hybrid cluster or its virtual network names a network that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(wraps_nothing, names_nothing),
    why="The virtual network only holds the id of a network of the site. If that network was deleted or never created, the nodes get no interface and the cluster cannot come up.",
    remedy=(
        Step(
            "See which networks the site has.",
            run=("az", "networkcloud", "defaultcninetwork", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Create the network {network}, or point the virtual network to one that exists.",
            risk=Risk.SAFE,
        ),
        Step(
            "Create the virtual network {vnet} again when its network has another id.",
            run=("az", "hybridaks", "vnet", "delete", "-g", "{resource_group}", "-n", "{vnet}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {network} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.vnet_failed", "hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
