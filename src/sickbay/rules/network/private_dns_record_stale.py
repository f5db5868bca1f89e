from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver_names import Fault, relative_name, right_address, trouble
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster)
def record_has_another_address(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_private:
        return None
    found = trouble(snapshot, cluster, Fault.STALE)
    if found is None or found.zone is None:
        return Clear(f"no record of {cluster.private_fqdn or cluster.name} has another address")
    return Match(
        f"private DNS zone {found.zone.name} {found.by.says}",
        facts={
            "zone": found.zone.name,
            "zone_group": found.zone.group,
            "record": relative_name(cluster, found.zone),
            "stale": next(iter(found.addresses), ""),
            "address": right_address(snapshot, cluster),
            "fqdn": cluster.private_fqdn or "",
        },
        cites=(
            Cite(found.zone, "", found.by.says),
            cluster.cite("properties.privateFQDN", cluster.private_fqdn),
        ),
    )


RULE = Rule(
    title="The record of the API server in the private DNS zone is stale: it holds another address",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(record_has_another_address,),
    why="The private endpoint of the API server got another address, for example when the cluster was stopped and started or the endpoint was made anew, and the A record in the zone did not follow. The name resolves, and connections to the old address time out.",
    remedy=(
        Step(
            "See the address of the private endpoint.",
            run=(
                "az",
                "network",
                "private-endpoint",
                "list",
                "-g",
                "{node_resource_group}",
                "--query",
                "[].{name:name,dns:customDnsConfigs}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add {address} to the record.",
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
        ),
        Step(
            "Remove {stale} from it.",
            run=(
                "az",
                "network",
                "private-dns",
                "record-set",
                "a",
                "remove-record",
                "-g",
                "{zone_group}",
                "-z",
                "{zone}",
                "-n",
                "{record}",
                "-a",
                "{stale}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {fqdn} wants {address} alone",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters",
        "https://learn.microsoft.com/azure/private-link/troubleshoot-private-endpoint-connectivity",
    ),
    leads_to=(
        "aks.node_cannot_reach_api",
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "network.apiserver_private_outside",
        "kubernetes.kubelet_silent",
    ),
    ask="nslookup {fqdn}",
    spreads=True,
)
