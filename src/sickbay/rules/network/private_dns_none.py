from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagedCluster, TYPICAL)
def has_no_name_at_all(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    access = cluster.api_server_access_profile
    if access is None or not cluster.is_private:
        return None
    zone = access.private_dns_zone
    if (zone or "system").casefold() != "none":
        return None
    if access.enable_private_cluster_public_fqdn is not False:
        if cluster.fqdn:
            return Clear(f"{cluster.name} has no private zone, and the public name {cluster.fqdn}")
        raise UnseenError(
            Gap(cluster.kind, f"whether {cluster.name} has a public name", to_open=cluster.look)
        )
    return Match(
        f"{cluster.name} has privateDNSZone none and its public FQDN disabled, so that no DNS "
        "knows its API server",
        cites=(cluster.cite("properties.apiServerAccessProfile.privateDNSZone", zone),),
    )


RULE = Rule(
    title="The private cluster has neither a private DNS zone (none) nor a public name",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(has_no_name_at_all,),
    why="With private DNS zone `none` AKS writes no record of the API server into any zone, and clients and nodes go by its public name, which leads to the private address. With the public name disabled as well, only a record that somebody keeps in a DNS server by hand leads there.",
    remedy=(
        Step(
            "See zone and names of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{zone:apiServerAccessProfile.privateDnsZone,fqdn:fqdn,privateFqdn:privateFqdn}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the cluster its public name; the address behind it stays private.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-public-fqdn",
            ),
            risk=Risk.SAFE,
            verify="az aks get-credentials -g {resource_group} -n {cluster} --public-fqdn, then kubectl get nodes wants an answer",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/private-clusters#configure-a-private-dns-zone",),
    leads_to=("aks.private_cluster_name", "aks.node_dns_fails", "aks.api_server_unreachable"),
    ask="az aks show -g {resource_group} -n {cluster} --query apiServerAccessProfile",
    spreads=True,
)
