"""What is read because of a managed cluster, its machines and its networks.

`near` is what is read because of a resource, `follows` the types of other resources that its
document leads to. Nothing leads back up (a security group does not lead to the networks that use
it), so that a walk stays around its target.
"""

from typing import Final

from sickbay.collect.azure_rows import (
    AROUND_GROUP,
    OUTAGES,
    POLICIES,
    below,
    events,
    lists_in,
    registered,
    serial_log,
)
from sickbay.collect.types import How, Near, Type, When

_NETWORK: Final = "Microsoft.Network"
_COMPUTE: Final = "Microsoft.Compute"
_SCALE_SETS: Final = f"{_COMPUTE}/virtualMachineScaleSets"
_RESERVED: Final = f"{_COMPUTE}/capacityReservationGroups"
_INSTANCE_VIEW: Final = (("$expand", "instanceView"),)
_RECORDS: Final = ("A", "AAAA", "CNAME")
_IN_NETWORK: Final = ("subnets", "virtualNetworkPeerings")
_OF_ROLES: Final = "providers/Microsoft.Authorization/roleAssignments"
_OF_CLUSTERS: Final = (
    *(
        f"{_NETWORK}/{word}"
        for word in (
            "virtualNetworks/subnets",
            "virtualNetworks",
            "privateDnsZones",
            "publicIPAddresses",
            "publicIPPrefixes",
            "natGateways",
            "routeTables",
            "applicationGateways",
        )
    ),
    "Microsoft.OperationalInsights/workspaces",
    "Microsoft.KeyVault/vaults",
)
_ALERTS: Final = Near(
    "{subscription}/providers/Microsoft.AlertsManagement/alerts",
    (("monitorCondition", "Fired"), ("timeRange", "1d")),
)

# The load of the busiest nodes in steps of half an hour.
_LOAD: Final = Near(
    "{id}/providers/Microsoft.Insights/metrics",
    (
        (
            "metricnames",
            "node_cpu_usage_percentage,node_memory_working_set_percentage,"
            "node_disk_usage_percentage",
        ),
        ("timespan", "{day}"),
        ("interval", "PT30M"),
        ("aggregation", "Average"),
        ("$filter", "node eq '*'"),
        ("top", "20"),
        ("orderby", "average desc"),
    ),
    when=When.UNWELL,
)

CLUSTERS: Final = (
    Type(
        "Microsoft.ContainerService/managedClusters",
        (
            *below("agentPools"),
            Near("{id}/outboundNetworkDependenciesEndpoints", when=When.OWN_NETWORK),
            _LOAD,
            Near("{id}/detectors", when=When.UNWELL),
            Near("{nodes}", how=How.ONE, kind="Microsoft.Resources/resourceGroups"),
            *lists_in("nodes", _COMPUTE, "virtualMachineScaleSets", "virtualMachines", "disks"),
            *lists_in("nodes", _NETWORK, "loadBalancers", "publicIPAddresses", "natGateways"),
            *lists_in("nodes", _NETWORK, "networkSecurityGroups", "routeTables", "virtualNetworks"),
            *lists_in(
                "nodes", _NETWORK, "networkInterfaces", "privateEndpoints", "privateDnsZones"
            ),
            *lists_in("nodes", "Microsoft.Insights", "autoscaleSettings"),
            *lists_in("nodes", "Microsoft.Authorization", "locks"),
            *lists_in("nodes", "Microsoft.ResourceHealth", "availabilityStatuses"),
            events("nodes"),
            *AROUND_GROUP,
            Near(f"{{subscription}}/{_OF_ROLES}"),
            Near(f"{{subscription}}/providers/{_COMPUTE}/locations/{{place}}/usages"),
            Near(f"{{subscription}}/providers/{_NETWORK}/locations/{{place}}/usages"),
            Near(
                f"{{subscription}}/providers/{_COMPUTE}/skus",
                (("$filter", "location eq '{place}'"),),
                name=f"{{subscription}}/providers/{_COMPUTE}/locations/{{place}}/skus",
                covers=(f"{_COMPUTE}/locations/skus",),
                scope=f"/subscriptions/-/providers/{_COMPUTE}/locations/{{place}}",
            ),
            Near(
                f"{{subscription}}/providers/{_NETWORK}/locations/{{place}}/serviceTags",
                how=How.ONE,
                kind=f"{_NETWORK}/locations/serviceTags",
            ),
            *lists_in("subscription", "Microsoft.Storage", "storageAccounts"),
            *lists_in("subscription", "Microsoft.KeyVault", "vaults"),
            *lists_in("subscription", "Microsoft.ContainerRegistry", "registries"),
            *lists_in("subscription", "Microsoft.ManagedIdentity", "userAssignedIdentities"),
            Near(
                "{subscription}/providers/Microsoft.Features/providers/"
                "Microsoft.ContainerService/features"
            ),
            *registered(
                "Microsoft.ContainerService",
                _COMPUTE,
                _NETWORK,
                "Microsoft.Storage",
                "Microsoft.ManagedIdentity",
            ),
            OUTAGES,
            _ALERTS,
            *POLICIES,
            *lists_in("id", "Microsoft.Insights", "diagnosticSettings"),
            *lists_in(
                "id", "Microsoft.KubernetesConfiguration", "extensions", "fluxConfigurations"
            ),
        ),
        _OF_CLUSTERS,
    ),
    Type(
        "Microsoft.ContainerService/managedClusters/agentPools",
        (Near("{id}/machines", when=When.UNWELL), *POLICIES),
        (
            f"{_NETWORK}/virtualNetworks/subnets",
            f"{_NETWORK}/publicIPPrefixes",
            _RESERVED,
        ),
    ),
    Type(_RESERVED, (*below("capacityReservations"), Near("{id}", _INSTANCE_VIEW, how=How.ONE))),
    Type(
        "Microsoft.ManagedIdentity/userAssignedIdentities",
        below("federatedIdentityCredentials"),
        most=100,
    ),
    Type(
        "Microsoft.ContainerService/managedClusters/detectors",
        (Near("{id}", how=How.ONE),),
        most=40,
    ),
    Type(
        _SCALE_SETS,
        (Near("{id}/virtualMachines", _INSTANCE_VIEW, at_once=True),),
        (f"{_NETWORK}/virtualNetworks/subnets", f"{_NETWORK}/networkSecurityGroups"),
    ),
    Type(f"{_SCALE_SETS}/virtualMachines", (serial_log(f"{_SCALE_SETS}/virtualMachines"),)),
    Type(
        f"{_COMPUTE}/virtualMachines",
        (
            Near("{id}", _INSTANCE_VIEW, how=How.ONE),
            serial_log(f"{_COMPUTE}/virtualMachines"),
        ),
        (f"{_NETWORK}/networkInterfaces",),
    ),
    Type(
        f"{_NETWORK}/virtualNetworks",
        (
            *lists_in("subscription", _NETWORK, "azureFirewalls", "privateDnsZones"),
            *lists_in("subscription", _NETWORK, "privateEndpoints", "dnsResolvers"),
            *lists_in("subscription", _NETWORK, "dnsForwardingRulesets"),
            *lists_in("group", _NETWORK, "virtualNetworkGateways"),
        ),
        (
            f"{_NETWORK}/networkSecurityGroups",
            f"{_NETWORK}/routeTables",
            f"{_NETWORK}/natGateways",
            f"{_NETWORK}/virtualNetworks",
        ),
        holds=tuple(f"{_NETWORK}/virtualNetworks/{one}" for one in _IN_NETWORK),
    ),
    Type(
        f"{_NETWORK}/networkInterfaces",
        (),
        (f"{_NETWORK}/networkSecurityGroups", f"{_NETWORK}/applicationSecurityGroups"),
    ),
    Type(f"{_NETWORK}/networkSecurityGroups", (), (f"{_NETWORK}/applicationSecurityGroups",)),
    Type(
        f"{_NETWORK}/natGateways",
        (),
        (f"{_NETWORK}/publicIPAddresses", f"{_NETWORK}/publicIPPrefixes"),
    ),
    Type(f"{_NETWORK}/loadBalancers", (), (f"{_NETWORK}/publicIPAddresses",)),
    Type(
        f"{_NETWORK}/azureFirewalls",
        (),
        (f"{_NETWORK}/firewallPolicies", f"{_NETWORK}/publicIPAddresses"),
    ),
    Type(
        f"{_NETWORK}/firewallPolicies",
        below("ruleCollectionGroups"),
        (f"{_NETWORK}/firewallPolicies",),
    ),
    Type(f"{_NETWORK}/firewallPolicies/ruleCollectionGroups", (), (f"{_NETWORK}/ipGroups",)),
    Type(f"{_NETWORK}/privateDnsZones", below("virtualNetworkLinks", *_RECORDS), most=200),
    Type(f"{_NETWORK}/privateEndpoints", below("privateDnsZoneGroups"), most=200),
    Type(f"{_NETWORK}/dnsResolvers", below("inboundEndpoints")),
    Type(f"{_NETWORK}/dnsForwardingRulesets", below("forwardingRules", "virtualNetworkLinks")),
    Type(
        "Microsoft.Insights/diagnosticSettings", (), ("Microsoft.OperationalInsights/workspaces",)
    ),
    Type(
        "Microsoft.OperationalInsights/workspaces",
        (
            Near(
                "/v1/workspaces/{workspace}/query",
                how=How.LOGS,
                kind="tables of a workspace",
                action="Microsoft.OperationalInsights/workspaces/query/read",
            ),
        ),
    ),
    Type("Microsoft.Storage/storageAccounts", below("fileServices"), most=50),
)
