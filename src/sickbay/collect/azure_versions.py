"""The version that each type of Azure resource is read with.

Pinned, so that a run is the same every time; where Azure no longer serves one, the newest of those
that its refusal lists is used.
"""

from typing import Final

# Provider, version, and the types that are read with it.
VERSIONS: Final = (
    ("Microsoft.Resources", "2022-12-01", "subscriptions"),
    ("Microsoft.Resources", "2021-04-01", "resourceGroups providers"),
    ("Microsoft.Authorization", "2016-09-01", "locks"),
    ("Microsoft.Authorization", "2022-04-01", "roleAssignments"),
    ("Microsoft.Authorization", "2021-06-01", "policyAssignments"),
    ("Microsoft.Authorization", "2022-07-01-preview", "policyExemptions"),
    ("Microsoft.PolicyInsights", "2019-10-01", "policyStates"),
    ("Microsoft.ContainerService", "2025-05-01", "managedClusters managedClusters/agentPools"),
    ("Microsoft.ContainerService", "2025-05-01", "managedClusters/agentPools/machines"),
    ("Microsoft.ContainerService", "2025-05-01", "managedClusters/detectors"),
    (
        "Microsoft.ContainerService",
        "2025-05-01",
        "managedClusters/outboundNetworkDependenciesEndpoints",
    ),
    ("Microsoft.ContainerService", "2021-07-01", "features"),
    ("Microsoft.Compute", "2024-07-01", "virtualMachineScaleSets virtualMachines locations/usages"),
    ("Microsoft.Compute", "2024-07-01", "virtualMachineScaleSets/virtualMachines"),
    (
        "Microsoft.Compute",
        "2024-07-01",
        "capacityReservationGroups capacityReservationGroups/capacityReservations",
    ),
    ("Microsoft.Compute", "2024-03-02", "disks"),
    ("Microsoft.Compute", "2021-07-01", "skus"),
    (
        "Microsoft.Network",
        "2024-05-01",
        "virtualNetworks virtualNetworks/subnets networkSecurityGroups applicationSecurityGroups "
        "routeTables loadBalancers publicIPAddresses publicIPPrefixes natGateways "
        "networkInterfaces privateEndpoints privateEndpoints/privateDnsZoneGroups azureFirewalls "
        "firewallPolicies firewallPolicies/ruleCollectionGroups ipGroups virtualNetworkGateways "
        "applicationGateways expressRouteCircuits locations/usages locations/serviceTags",
    ),
    (
        "Microsoft.Network",
        "2020-06-01",
        "privateDnsZones privateDnsZones/virtualNetworkLinks privateDnsZones/A "
        "privateDnsZones/AAAA privateDnsZones/CNAME",
    ),
    (
        "Microsoft.Network",
        "2022-07-01",
        "dnsResolvers dnsResolvers/inboundEndpoints dnsForwardingRulesets "
        "dnsForwardingRulesets/forwardingRules dnsForwardingRulesets/virtualNetworkLinks",
    ),
    ("Microsoft.Insights", "2022-10-01", "autoscaleSettings"),
    ("Microsoft.Insights", "2021-05-01-preview", "diagnosticSettings"),
    ("Microsoft.Insights", "2015-04-01", "eventtypes/values"),
    ("Microsoft.Insights", "2018-01-01", "metrics"),
    ("Microsoft.AlertsManagement", "2019-05-05-preview", "alerts"),
    ("Microsoft.ResourceHealth", "2020-05-01", "availabilityStatuses"),
    ("Microsoft.ResourceHealth", "2022-10-01", "events"),
    ("Microsoft.OperationalInsights", "2023-09-01", "workspaces"),
    ("Microsoft.KeyVault", "2023-07-01", "vaults"),
    ("Microsoft.ContainerRegistry", "2023-07-01", "registries"),
    (
        "Microsoft.ManagedIdentity",
        "2023-01-31",
        "userAssignedIdentities userAssignedIdentities/federatedIdentityCredentials",
    ),
    ("Microsoft.Storage", "2023-05-01", "storageAccounts storageAccounts/fileServices"),
    ("Microsoft.Kubernetes", "2024-01-01", "connectedClusters"),
    ("Microsoft.KubernetesConfiguration", "2023-05-01", "extensions fluxConfigurations"),
    ("Microsoft.ExtendedLocation", "2021-08-15", "customLocations"),
    ("Microsoft.ResourceConnector", "2022-10-27", "appliances"),
    (
        "Microsoft.ConnectedVMwarevSphere",
        "2023-10-01",
        "vCenters clusters datastores hosts resourcePools virtualMachineTemplates virtualNetworks "
        "virtualMachineInstances",
    ),
    (
        "Microsoft.ScVmm",
        "2023-10-07",
        "vmmServers clouds virtualMachineTemplates virtualNetworks virtualMachineInstances",
    ),
    ("Microsoft.HybridCompute", "2024-07-10", "machines"),
    (
        "Microsoft.HybridContainerService",
        "2022-09-01-preview",
        "provisionedClusters provisionedClusters/agentPools",
    ),
    (
        "Microsoft.HybridContainerService",
        "2024-01-01",
        "provisionedClusterInstances provisionedClusterInstances/agentPools kubernetesVersions",
    ),
    # The networks of both generations: the older form alone names the network of a Nexus site.
    ("Microsoft.HybridContainerService", "2022-09-01-preview", "virtualNetworks"),
    (
        "Microsoft.AzureStackHCI",
        "2024-01-01",
        "logicalNetworks storageContainers galleryImages marketplaceGalleryImages "
        "networkInterfaces virtualHardDisks virtualMachineInstances "
        "virtualMachineInstances/guestAgents",
    ),
    ("Microsoft.AzureStackHCI", "2024-04-01", "clusters clusters/deploymentSettings"),
    (
        "Microsoft.NetworkCloud",
        "2024-07-01",
        "clusters clusterManagers kubernetesClusters kubernetesClusters/agentPools "
        "kubernetesClusters/features "
        "cloudServicesNetworks l3Networks l2Networks trunkedNetworks bareMetalMachines "
        "storageAppliances virtualMachines",
    ),
    ("Microsoft.NetworkCloud", "2022-12-12-preview", "defaultCniNetworks"),
    (
        "Microsoft.ManagedNetworkFabric",
        "2023-06-15",
        "networkFabrics networkFabrics/networkToNetworkInterconnects networkFabricControllers "
        "l2IsolationDomains l3IsolationDomains l3IsolationDomains/internalNetworks "
        "l3IsolationDomains/externalNetworks networkDevices networkDevices/networkInterfaces "
        "networkTaps routePolicies",
    ),
)
