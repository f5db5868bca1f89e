from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver_names import Fault, trouble
from sickbay.rulekit import TYPICAL, Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def zone_is_not_linked(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_private:
        return None
    found = trouble(snapshot, cluster, Fault.UNLINKED)
    if found is None or found.zone is None:
        return Clear(f"a zone that is linked answers for {cluster.private_fqdn or cluster.name}")
    network = arm(found.network).name
    name = cluster.name
    asker = f"the nodes of {name} ask" if found.is_certain else f"the DNS server of {name} asks"
    return Match(
        f"private DNS zone {found.zone.name} {found.by.says}, where {asker} "
        f"for {cluster.private_fqdn}",
        facts={
            "zone": found.zone.name,
            "zone_group": found.zone.group,
            "network": network,
            "network_id": found.network,
            "fqdn": cluster.private_fqdn or "",
        },
        cites=(
            Cite(found.zone, "", found.by.says),
            cluster.cite("properties.privateFQDN", cluster.private_fqdn),
        ),
        # A DNS server may have rules of its own that nobody read.
        weight=None if found.is_certain else TYPICAL,
    )


RULE = Rule(
    title="The private DNS zone of the API server is not linked to the network that asks for it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(zone_is_not_linked,),
    why="Azure's DNS (168.63.129.16) answers a virtual network only from private zones that are linked to it. Nodes ask the DNS of their own network; where that network has custom DNS servers, as in hub and spoke, these forward to Azure's DNS of the network in which they stand, so that the zone must be linked there.",
    remedy=(
        Step(
            "See where the zone is linked.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "list",
                "-g",
                "{zone_group}",
                "-z",
                "{zone}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Link it to network {network}.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "create",
                "-g",
                "{zone_group}",
                "-z",
                "{zone}",
                "-n",
                "link-{network}",
                "-v",
                "{network_id}",
                "-e",
                "false",
            ),
            risk=Risk.SAFE,
            verify="nslookup {fqdn} in {network} wants the private address of the API server",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters#hub-and-spoke-with-custom-dns",
        "https://learn.microsoft.com/azure/dns/private-dns-virtual-network-links",
    ),
    leads_to=(
        "aks.private_cluster_name",
        "aks.node_dns_fails",
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "kubernetes.kubelet_silent",
    ),
    ask="nslookup {fqdn}",
    spreads=True,
)
