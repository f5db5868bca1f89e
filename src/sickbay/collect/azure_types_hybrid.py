"""What is read because of Arc, its bridge, hybrid clusters, and the Nexus site under them."""

from typing import Final

from sickbay.collect.azure_rows import AROUND_GROUP, OUTAGES, below, lists_in, registered
from sickbay.collect.types import Near, Type, When

_NETWORK: Final = "Microsoft.Network"
_CLOUD: Final = "Microsoft.NetworkCloud"
_FABRIC: Final = "Microsoft.ManagedNetworkFabric"
_HYBRID: Final = "Microsoft.HybridContainerService"
_CONFIGURATION: Final = "Microsoft.KubernetesConfiguration"
_LOCAL: Final = "Microsoft.AzureStackHCI"
_VMWARE: Final = "Microsoft.ConnectedVMwarevSphere"
_VMM: Final = "Microsoft.ScVmm"
_IN_VCENTER: Final = (
    "clusters",
    "datastores",
    "hosts",
    "resourcePools",
    "virtualMachineTemplates",
    "virtualNetworks",
)
_IN_VMM: Final = ("clouds", "virtualMachineTemplates", "virtualNetworks")
_IN_LOCAL: Final = (
    "clusters",
    "galleryImages",
    "marketplaceGalleryImages",
    "networkInterfaces",
    "virtualHardDisks",
)
_SITE: Final = (
    "clusters",
    "clusterManagers",
    "l3Networks",
    "l2Networks",
    "trunkedNetworks",
    "cloudServicesNetworks",
    "defaultCniNetworks",
    "bareMetalMachines",
    "storageAppliances",
    "virtualMachines",
    "kubernetesClusters",
)
_OF_HYBRIDS: Final = (
    *(f"{_CLOUD}/{word}" for word in _SITE),
    f"{_FABRIC}/networkFabrics",
    f"{_FABRIC}/l2IsolationDomains",
    f"{_FABRIC}/l3IsolationDomains",
    f"{_HYBRID}/virtualNetworks",
    f"{_LOCAL}/logicalNetworks",
    "Microsoft.ExtendedLocation/customLocations",
    "Microsoft.Kubernetes/connectedClusters",
    "Microsoft.ResourceConnector/appliances",
)
_BRIDGES: Final = (
    *lists_in("subscription", "Microsoft.ResourceConnector", "appliances"),
    *lists_in("subscription", "Microsoft.ExtendedLocation", "customLocations"),
    *registered("Microsoft.ResourceConnector", "Microsoft.ExtendedLocation"),
)
_NEXUS: Final = (
    *lists_in("subscription", _CLOUD, *_SITE),
    *lists_in(
        "subscription",
        _FABRIC,
        "networkFabrics",
        "networkFabricControllers",
        "l2IsolationDomains",
        "l3IsolationDomains",
        "networkDevices",
        "networkTaps",
        "routePolicies",
    ),
)

HYBRIDS: Final = (
    Type(
        "Microsoft.Kubernetes/connectedClusters",
        (
            *lists_in("id", _CONFIGURATION, "extensions", "fluxConfigurations"),
            Near(f"{{id}}/providers/{_HYBRID}/provisionedClusterInstances", when=When.HYBRID),
            *AROUND_GROUP,
            *lists_in("subscription", "Microsoft.ExtendedLocation", "customLocations"),
            *registered("Microsoft.Kubernetes", "Microsoft.KubernetesConfiguration"),
            OUTAGES,
        ),
    ),
    Type(
        "Microsoft.ExtendedLocation/customLocations",
        (),
        (
            "Microsoft.ResourceConnector/appliances",
            "Microsoft.Kubernetes/connectedClusters",
            "Microsoft.KubernetesConfiguration/extensions",
        ),
    ),
    Type(
        "Microsoft.ResourceConnector/appliances",
        (
            *_BRIDGES,
            *AROUND_GROUP,
            *lists_in("id", _CONFIGURATION, "extensions"),
            *lists_in("group", _VMWARE, "vCenters", *_IN_VCENTER),
            *lists_in("group", _VMM, "vmmServers", *_IN_VMM),
            *lists_in("group", "Microsoft.HybridCompute", "machines"),
            *lists_in("group", _LOCAL, "logicalNetworks", "storageContainers", *_IN_LOCAL),
        ),
    ),
    Type(f"{_LOCAL}/clusters", below("deploymentSettings")),
    Type(
        "Microsoft.HybridCompute/machines",
        (
            Near(f"{{id}}/providers/{_LOCAL}/virtualMachineInstances/default/guestAgents"),
            *(
                Near(f"{{id}}/providers/{name}/virtualMachineInstances")
                for name in (_LOCAL, _VMWARE, _VMM)
            ),
        ),
    ),
    Type(
        f"{_HYBRID}/provisionedClusters",
        (
            *below("agentPools"),
            *lists_in("subscription", _HYBRID, "provisionedClusters", "virtualNetworks"),
            Near("{group}/providers/Microsoft.Kubernetes/connectedClusters"),
            *_BRIDGES,
            *AROUND_GROUP,
        ),
        _OF_HYBRIDS,
    ),
    Type(
        f"{_HYBRID}/provisionedClusterInstances",
        (
            *below("agentPools"),
            Near(f"{{location}}/providers/{_HYBRID}/kubernetesVersions"),
            *lists_in("subscription", _HYBRID, "virtualNetworks"),
            *lists_in("subscription", _LOCAL, "logicalNetworks"),
            *_BRIDGES,
        ),
        _OF_HYBRIDS,
    ),
    Type(f"{_HYBRID}/virtualNetworks", (), _OF_HYBRIDS),
    Type(f"{_CLOUD}/clusters", (*_NEXUS, *AROUND_GROUP), _OF_HYBRIDS),
    Type(
        f"{_CLOUD}/kubernetesClusters",
        (*below("agentPools", "features"), *_NEXUS, *AROUND_GROUP),
        _OF_HYBRIDS,
    ),
    Type(f"{_CLOUD}/l3Networks", _NEXUS, (f"{_CLOUD}/clusters", f"{_FABRIC}/l3IsolationDomains")),
    Type(f"{_CLOUD}/l2Networks", _NEXUS, (f"{_CLOUD}/clusters", f"{_FABRIC}/l2IsolationDomains")),
    Type(f"{_CLOUD}/defaultCniNetworks", _NEXUS, (f"{_CLOUD}/clusters",)),
    Type(f"{_CLOUD}/cloudServicesNetworks", _NEXUS, (f"{_CLOUD}/clusters",)),
    Type(f"{_CLOUD}/trunkedNetworks", _NEXUS, (f"{_CLOUD}/clusters",)),
    Type(
        f"{_FABRIC}/networkFabrics",
        below("networkToNetworkInterconnects"),
        (f"{_FABRIC}/networkFabricControllers",),
    ),
    Type(f"{_FABRIC}/networkFabricControllers", (), (f"{_NETWORK}/expressRouteCircuits",)),
    Type(
        f"{_FABRIC}/l3IsolationDomains",
        below("internalNetworks", "externalNetworks"),
        (f"{_FABRIC}/networkFabrics",),
    ),
    Type(f"{_FABRIC}/l2IsolationDomains", (), (f"{_FABRIC}/networkFabrics",)),
    Type(f"{_FABRIC}/networkDevices", below("networkInterfaces")),
)
