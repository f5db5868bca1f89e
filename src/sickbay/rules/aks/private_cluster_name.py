from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import PrivateDnsZone
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
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


@each(ManagedCluster)
def zone_is_gone(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:
    access = cluster.api_server_access_profile
    if access is None or not cluster.is_private:
        return Clear(f"{cluster.name} is no private cluster")
    zone = access.private_dns_zone or ""
    if (
        zone.casefold().startswith("/subscriptions/")
        and snapshot.get(arm(zone), PrivateDnsZone) is None
    ):
        return Match(
            f"the private DNS zone of {cluster.name}, {zone}, does not exist",
            cites=(cluster.cite("properties.apiServerAccessProfile.privateDNSZone", zone),),
        )
    # Whether a client resolves the name depends on the network that it is in.
    name = cluster.private_fqdn or "<private-fqdn>"
    raise UnseenError(
        Gap("client network", f"whether it resolves {name}", to_open=f"nslookup {name}")
    )


RULE = Rule(
    title="The private name of the API server does not resolve on the client's network",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        zone_is_gone,
        Signature(
            pattern=r"(?i)lookup (?P<host>[\w.<>-]+\.privatelink\.[\w<>-]+\.azmk8s\.io)\b.{0,80}?(?:no such host|server misbehaving|i/o timeout|SERVFAIL|NXDOMAIN)|(?:can't|cannot|could not) (?:find|resolve)(?: host)?:? (?P<name_asked>[\w.-]+\.privatelink\.[\w-]+\.azmk8s\.io)|(?:remote name could not be resolved: ['\"]?|Could not resolve host: |No such host is known\. \(|Name or service not known \(|ENOTFOUND |Failed to resolve ['\"]|UnknownHostException: )(?P<unresolved>[\w.-]+\.privatelink\.[\w-]+\.azmk8s\.io)|\*\* server can't find (?P<other>[\w.-]+\.azmk8s\.io)",
            says="{host} is not resolved",
            sample="Unable to connect to the server: dial tcp: lookup shop-dns-1.a1b2.privatelink.westeurope.azmk8s.io on 10.0.0.4:53: no such host",
            near_miss="Name: shop-dns-1.a1b2.privatelink.westeurope.azmk8s.io Address: 10.1.0.4",
            passes=True,
        ),
    ),
    why="The API server of a private cluster has a name only in a private DNS zone (privatelink.<region>.azmk8s.io). A client resolves it when its network is linked to the zone, or its DNS server forwards to one that is.",
    remedy=(
        Step(
            "See which zone the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{name:privateFqdn,zone:apiServerAccessProfile.privateDnsZone}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Link the zone to the client's network, or forward it to Azure DNS there.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "create",
                "-g",
                "{node_resource_group}",
                "--zone-name",
                "<zone>",
                "-n",
                "<link>",
                "--virtual-network",
                "<vnet-id>",
                "--registration-enabled",
                "false",
            ),
            risk=Risk.SAFE,
            verify="nslookup <private-fqdn> wants the private address",
        ),
        Step(
            "From outside of every linked network, go through Azure.",
            run=(
                "az",
                "aks",
                "command",
                "invoke",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--command",
                "kubectl get nodes",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-cluster-connection-issues-api-server",
    ),
    leads_to=(
        "aks.api_server_unreachable",
        "network.name_resolution_fails",
        "network.dns_name_unknown",
    ),
    ask="nslookup <private-fqdn>",
)
