from sickbay.model.aks import ManagedCluster
from sickbay.model.governance import has_role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

WRITERS = ("Owner", "Contributor", "Private DNS Zone Contributor")


@each(ManagedCluster)
def may_not_write_zone(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    access = cluster.api_server_access_profile
    zone = (access and access.private_dns_zone) or ""
    if "/" not in zone or not cluster.is_unwell or not cluster.principals:
        return None
    name = zone.rpartition("/")[2]
    if has_role(snapshot, cluster.principals, zone, WRITERS):
        return Clear(f"the identity of {cluster.name} may write zone {name}")
    return Match(
        f"the identity {cluster.principals[0]} of {cluster.name} has no role that lets it write zone {name}",
        cites=(cluster.cite("properties.apiServerAccessProfile.privateDNSZone", zone),),
    )


RULE = Rule(
    title="The cluster identity may not write the custom private DNS zone",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        may_not_write_zone,
        Signature(
            pattern=r"\bPrivateDNSZoneAuthorizationFailed\b|\bCustomPrivateDNSZoneMissingPermissionError\b|must be given permission to read and write to custom private dns zone ?(?P<zone>\S+)?",
            says="the identity has no permission on the private DNS zone",
            sample="Code: CustomPrivateDNSZoneMissingPermissionError Message: Service principal or user-assigned identity must be given permission to read and write to custom private dns zone /subscriptions/s/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io. Check access result not allowed for action Microsoft.Network/privateDnsZones/read.",
            near_miss="The identity was given permission on custom private dns zone privatelink.westeurope.azmk8s.io",
        ),
    ),
    why="A private cluster with a zone of your own writes its record there with the cluster identity, which needs the role Private DNS Zone Contributor on the zone.",
    remedy=(
        Step(
            "Grant the role; it can take up to an hour to work.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-object-id>",
                "--role",
                "Private DNS Zone Contributor",
                "--scope",
                "<zone-id>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --scope <zone-id> wants the identity",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/customprivatednszonemissingpermissions-error",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.private_dns_failed",
        "aks.cluster_failed",
        "aks.pool_failed",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query [identity,apiServerAccessProfile.privateDnsZone]",
)
