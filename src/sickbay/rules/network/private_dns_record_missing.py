from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver_names import Fault, relative_name, right_address, trouble
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def zone_lacks_the_record(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_private:
        return None
    found = trouble(snapshot, cluster, Fault.MISSING)
    if found is None or found.zone is None:
        return Clear(f"no zone that answers lacks {cluster.private_fqdn or cluster.name}")
    address = right_address(snapshot, cluster)
    return Match(
        f"private DNS zone {found.zone.name} {found.by.says}"
        + (f"; the API server of {cluster.name} has {address}" if address else ""),
        facts={
            "zone": found.zone.name,
            "zone_group": found.zone.group,
            "record": relative_name(cluster, found.zone),
            "address": address,
            "fqdn": cluster.private_fqdn or "",
        },
        cites=(
            Cite(found.zone, "", found.by.says),
            cluster.cite("properties.privateFQDN", cluster.private_fqdn),
        ),
    )


RULE = Rule(
    title="The private DNS zone has no record of the API server",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(zone_lacks_the_record,),
    why="The zone that is linked to the network is the one that answers, also that a name does not exist: public DNS and other zones are not asked. The A record of the private cluster was deleted, or a second zone of the same name without the record was linked in place of the one that AKS keeps.",
    remedy=(
        Step(
            "See the records of the zone.",
            run=(
                "az",
                "network",
                "private-dns",
                "record-set",
                "a",
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
            "Let AKS write the record again by reconciling the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {fqdn} wants the private address of the API server",
        ),
        Step(
            "Or write it, in a zone of your own.",
            run=(
                "az",
                "network",
                "private-dns",
                "record-set",
                "a",
                "add-record",
                "-g",
                "{zone_group}",
                "-z",
                "{zone}",
                "-n",
                "{record}",
                "-a",
                "{address}",
            ),
            risk=Risk.SAFE,
            verify="nslookup {fqdn} wants {address}",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters",
        "https://learn.microsoft.com/azure/dns/private-dns-privatednszone",
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
