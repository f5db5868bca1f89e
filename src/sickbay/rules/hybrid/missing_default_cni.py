from sickbay.model.hybrid import HybridCluster, ProvisionedCluster
from sickbay.model.ids import arm_type
from sickbay.model.nexus import DefaultCniNetwork, NexusCluster
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


def _is_on_nexus(cluster: HybridCluster, snapshot: Snapshot) -> bool:
    if cluster.cloud_provider_profile is None or not snapshot.holds(NexusCluster.kind):
        return False
    homes = (site.hybrid_aks_extended_location for site in snapshot.some(NexusCluster))
    here = cluster.custom_location.casefold()
    return any(home and (home.name or "").casefold() == here for home in homes)


def _lacks(cluster: HybridCluster, snapshot: Snapshot) -> Match | Clear | None:
    if cluster.absent_networks(snapshot):
        return None
    networks = list(cluster.cloud_networks(snapshot))
    if not networks and (cluster.network_ids or not _is_on_nexus(cluster, snapshot)):
        return None
    wanted = DefaultCniNetwork.kind.casefold()
    if any(arm_type(id).casefold() == wanted for id in networks):
        return Clear(f"{cluster.name} has a default CNI network")
    return Match(
        f"{cluster.name} uses {len(networks)} network(s) of the site, none of which is a default CNI network",
        facts={"custom_location": cluster.custom_location or "<custom-location>"},
        cites=(
            cluster.cite(
                "properties.cloudProviderProfile.infraNetworkProfile.vnetSubnetIds",
                ", ".join(cluster.network_ids),
            ),
        ),
    )


@each(ProvisionedCluster)
def cluster_lacks_network(cluster: ProvisionedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if cluster.is_succeeded and cluster.connected_at:
        # Its nodes have their addresses and its agents their way out, whoever gives them.
        return Clear(f"{cluster.name} is Succeeded and has reported to Azure")
    return _lacks(cluster, snapshot)


RULE = Rule(
    title="AKS hybrid missing default CNI network: the cluster's nodes and pods have no network of their own",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        cluster_lacks_network,
        Signature(
            pattern=r"(?i)\b(?:no|without an?|forgot(?:ten)?(?: the| an?)?|left out(?: the| an?)?|missing(?: an?| the| required)?) default ?-?CNI ?networks?\b|\bdefault ?-?CNI ?networks?\b.{0,60}?(?:(?:is|was|were|are) (?:not (?:specified|provided|found|attached|configured|present|given|set)|missing|required)|(?:must|has to) be (?:specified|provided|given|created))(?P<custom_location>)",
            says="the cluster has no default CNI network",
            sample="Error: hybrid AKS cluster create failed: no default CNI network was given in --vnet-ids",
            near_miss="hybrid AKS cluster create: default CNI network dcn1",
            weight=TYPICAL,
        ),
    ),
    why="Every AKS hybrid cluster needs a default CNI network: nodes and pods take their addresses from it and peer with the fabric over it. A cloud services network or another L3 network does not replace it.",
    remedy=(
        Step(
            "See which networks of this kind the site has.",
            run=("az", "networkcloud", "defaultcninetwork", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Create one if there is none: az networkcloud defaultcninetwork create, with VLAN and prefix of an internal network in an enabled L3 isolation domain.",
            risk=Risk.SAFE,
        ),
        Step(
            "Wrap it in a virtual network.",
            run=(
                "az",
                "hybridaks",
                "vnet",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "vnet-dcn",
                "--custom-location",
                "{custom_location}",
                "--aods-vnet-id",
                "<network-id>",
            ),
            risk=Risk.SAFE,
            verify="az hybridaks vnet show -g {resource_group} -n vnet-dcn wants provisioningState Succeeded",
        ),
        Step(
            "Delete the cluster.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step("Create it again with both virtual networks in --vnet-ids."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
