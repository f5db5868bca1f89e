from sickbay.model.ailing import waiting_services
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.governance import has_role
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

JOINERS = ("Owner", "Contributor", "Network Contributor")


@each(ManagedCluster)
def may_not_join(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    ails = cluster.is_unwell or waiting_services(snapshot, is_internal=True)
    if not ails or not cluster.principals:
        return None
    pools = snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
    own = cluster.node_group_id.casefold() + "/"
    subnets = sorted({pool.vnet_subnet_id for pool in pools if pool.vnet_subnet_id})
    for subnet in (one for one in subnets if not one.casefold().startswith(own)):
        if has_role(snapshot, cluster.principals, subnet, JOINERS):
            continue
        return Match(
            f"the identity {cluster.principals[0]} of {cluster.name} has no role on subnet {subnet.rpartition('/')[2]}",
            facts={"object_id": cluster.principals[0], "scope": subnet},
            cites=(cluster.cite("identity.principalId", cluster.principals[0]),),
            # A service may just have been made.
            weight=None if cluster.is_unwell else TYPICAL,
        )
    return Clear(f"the identity of {cluster.name} may join its subnets") if subnets else None


RULE = Rule(
    title="The cluster identity lacks Network Contributor on a subnet, route table or address (LinkedAuthorizationFailed)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
        Category.SCALING,
        Category.CONNECTIVITY,
    ),
    detect=(
        may_not_join,
        Signature(
            pattern=r"(?i)object id '(?P<object_id>[^']+)' (?:does not have authorization|has permission to perform action .{0,400}?(?:does not|doesn't) have permission) to perform action\(?s?\)? '(?P<action>Microsoft\.Network/[^']+)' (?:over scope|on the linked scope\(s\)) '(?P<scope>[^'\s]+)'",
            says="{object_id} may not do {action} on {scope}",
            sample="(LinkedAuthorizationFailed) The client 'app' with object id '3a1b' has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' on scope '/subscriptions/s/resourceGroups/MC_rg_shop/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-vmss'; however, it does not have permission to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/n' or the linked scope(s) are invalid.",
            near_miss="The client 'app' with object id '3a1b' has permission to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' on scope '/subscriptions/s/resourceGroups/net'",
            # A zone has a role of its own.
            unless=r"(?i)action 'Microsoft\.Network/(?:private)?dnsZones/",
        ),
        Signature(
            pattern=r"\b(?:CustomRouteTableMissing(?:ServicePrincipal)?Permission|ServicePrincipalOrManagedIdentityMissingPermission|VnetSubnetMissingPermission\w*|SubnetMissingPermission\w*)\b(?P<object_id>)(?P<scope>)|(?i:must be (?:given|granted) .{0,60}?Network Contributor)|LinkedAuthorizationFailed.{0,900}?does not have permission to perform action\(?s?\)? 'Microsoft\.Network/[^']{4,120}$",
            says="the identity has no role on a network resource",
            sample="(CustomRouteTableMissingPermission) The cluster identity must be granted 'Network Contributor' role on custom route table /subscriptions/s/resourceGroups/net/providers/Microsoft.Network/routeTables/rt.",
            near_miss="The cluster identity was granted 'Network Contributor' role on custom route table rt",
        ),
    ),
    why="AKS joins subnets, route tables and public addresses outside the node resource group with the identity of the cluster. ARM answers `AuthorizationFailed` when that identity has no role on the network resource itself, and `LinkedAuthorizationFailed` when it may write the scale set or load balancer but not join what that is linked to.",
    remedy=(
        Step(
            "See which roles the identity has there.",
            run=(
                "az",
                "role",
                "assignment",
                "list",
                "--assignee",
                "{object_id}",
                "--scope",
                "{scope}",
                "--include-inherited",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant Network Contributor on the network resource; it takes some minutes to work.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "{object_id}",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Network Contributor",
                "--scope",
                "{scope}",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --assignee {object_id} --scope {scope} --include-inherited wants Network Contributor",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/linkedauthorizationfailed-error",
        "https://learn.microsoft.com/azure/aks/configure-kubenet",
    ),
    leads_to=(
        "aks.authorization_failed",
        "aks.operation_failed",
        "aks.scale_up_failed",
        "aks.cluster_failed",
        "aks.pool_failed",
        "kubernetes.load_balancer_fails",
    ),
    ask="az role assignment list --assignee <cluster-identity> --all -o json",
)
