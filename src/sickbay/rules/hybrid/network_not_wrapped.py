from sickbay.model.hybrid import HybridCluster, ProvisionedCluster, is_cloud_network
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


def _bare(cluster: HybridCluster) -> Match | Clear | None:
    if not cluster.network_ids:
        return None
    bare = [id for id in cluster.network_ids if is_cloud_network(id)]
    if not bare:
        return Clear(f"{cluster.name} names virtual networks only")
    return Match(
        f"{cluster.name} names the network {bare[0]} itself instead of a virtual network that wraps it",
        facts={
            "network": bare[0],
            "network_name": bare[0].rpartition("/")[2],
            "custom_location": cluster.custom_location or "<custom-location>",
        },
        cites=(
            cluster.cite(
                "properties.cloudProviderProfile.infraNetworkProfile.vnetSubnetIds", ", ".join(bare)
            ),
        ),
    )


@each(ProvisionedCluster)
def cluster_names_bare_network(
    cluster: ProvisionedCluster,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    return _bare(cluster)


RULE = Rule(
    title="AKS hybrid network not wrapped: the cluster names a network of the site without a virtual network",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        cluster_names_bare_network,
        Signature(
            pattern=r"(?i)\bvnet(?:Subnet)?-?Ids?\b.{0,200}?\b(?:invalid|not (?:valid|allowed|supported)|unsupported|wrong)\b.{0,80}?Microsoft\.NetworkCloud/(?:defaultCni|l3|l2|trunked|cloudServices)Networks(?:/(?P<network_name>[\w-]+))?(?P<network>)(?P<custom_location>)",
            says="a network of the site was given in place of a virtual network",
            sample="vnetSubnetIds: invalid resource type Microsoft.NetworkCloud/defaultCniNetworks/core-dcn",
            near_miss="vnetSubnetIds: Microsoft.HybridContainerService/virtualNetworks/core-dcn-vnet",
            weight=TYPICAL,
        ),
    ),
    why="An AKS hybrid cluster knows only AKS hybrid virtual networks. Each network of the site that it uses, the default CNI network and the cloud services network among them, has to be wrapped in one, and the cluster takes the id of the wrapping.",
    remedy=(
        Step(
            "Wrap the network.",
            run=(
                "az",
                "hybridaks",
                "vnet",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "vnet-{network_name}",
                "--custom-location",
                "{custom_location}",
                "--aods-vnet-id",
                "{network}",
            ),
            risk=Risk.SAFE,
            verify="az hybridaks vnet show -g {resource_group} -n vnet-{network_name} wants provisioningState Succeeded",
        ),
        Step(
            "Delete the failed cluster.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step("Create it again with the ids of the virtual networks in --vnet-ids."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
