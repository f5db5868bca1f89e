"""What is read of each type of Azure resource: its version, what belongs to it, and what is near.

One table. A version is pinned so that a run is the same every time; where Azure no longer serves
it, the newest of those that its refusal lists is used.
"""

from typing import Final

from sickbay.record import NamedTuple

NETWORK: Final = "2024-05-01"
COMPUTE: Final = "2024-07-01"
FABRIC: Final = "2023-06-15"
CLOUD: Final = "2024-07-01"
DNS: Final = "2020-06-01"

VERSIONS: Final[dict[str, str]] = {
    "microsoft.resources/subscriptions": "2022-12-01",
    "microsoft.resources/resourcegroups": "2021-04-01",
    "microsoft.resources/providers": "2021-04-01",
    "microsoft.containerservice/managedclusters": "2025-05-01",
    "microsoft.containerservice/managedclusters/agentpools": "2025-05-01",
    "microsoft.compute/virtualmachinescalesets": COMPUTE,
    "microsoft.compute/virtualmachinescalesets/virtualmachines": COMPUTE,
    "microsoft.compute/virtualmachines": COMPUTE,
    "microsoft.network/virtualnetworks": NETWORK,
    "microsoft.network/virtualnetworks/subnets": NETWORK,
    "microsoft.network/networksecuritygroups": NETWORK,
    "microsoft.network/applicationsecuritygroups": NETWORK,
    "microsoft.network/routetables": NETWORK,
    "microsoft.network/loadbalancers": NETWORK,
    "microsoft.network/publicipaddresses": NETWORK,
    "microsoft.network/publicipprefixes": NETWORK,
    "microsoft.network/natgateways": NETWORK,
    "microsoft.network/networkinterfaces": NETWORK,
    "microsoft.network/privateendpoints": NETWORK,
    "microsoft.network/azurefirewalls": NETWORK,
    "microsoft.network/firewallpolicies": NETWORK,
    "microsoft.network/firewallpolicies/rulecollectiongroups": NETWORK,
    "microsoft.network/ipgroups": NETWORK,
    "microsoft.network/privatednszones": DNS,
    "microsoft.operationalinsights/workspaces": "2023-09-01",
    "microsoft.kubernetes/connectedclusters": "2024-01-01",
    "microsoft.kubernetesconfiguration/extensions": "2023-05-01",
    "microsoft.extendedlocation/customlocations": "2021-08-15",
    "microsoft.resourceconnector/appliances": "2022-10-27",
    "microsoft.hybridcontainerservice/provisionedclusters": "2022-09-01-preview",
    "microsoft.hybridcontainerservice/provisionedclusterinstances": "2024-01-01",
    "microsoft.hybridcontainerservice/virtualnetworks": "2024-01-01",
    "microsoft.azurestackhci/logicalnetworks": "2024-01-01",
    "microsoft.networkcloud/clusters": CLOUD,
    "microsoft.networkcloud/kubernetesclusters": CLOUD,
    "microsoft.networkcloud/cloudservicesnetworks": CLOUD,
    "microsoft.networkcloud/l3networks": CLOUD,
    "microsoft.networkcloud/l2networks": CLOUD,
    "microsoft.networkcloud/trunkednetworks": CLOUD,
    "microsoft.networkcloud/baremetalmachines": CLOUD,
    "microsoft.networkcloud/storageappliances": CLOUD,
    "microsoft.networkcloud/defaultcninetworks": "2022-12-12-preview",
    "microsoft.managednetworkfabric/networkfabrics": FABRIC,
    "microsoft.managednetworkfabric/networkfabriccontrollers": FABRIC,
    "microsoft.managednetworkfabric/l2isolationdomains": FABRIC,
    "microsoft.managednetworkfabric/l3isolationdomains": FABRIC,
}


class Near(NamedTuple):
    """A list that is read because of a resource: its path, its version, and what it lists.

    The path may name the resource (`{id}`), its group, the group of its nodes, its subscription
    and its place. `kind` and `scope` say what a complete list covers; without a kind, nothing.
    """

    path: str
    version: str
    kind: str = ""
    params: tuple[tuple[str, str], ...] = ()


def _in_nodes(type: str, version: str, *params: tuple[str, str]) -> Near:
    return Near(f"{{nodes}}/providers/{type}", version, type, params)


_SCALE_SETS: Final = "Microsoft.Compute/virtualMachineScaleSets"
_LOCKS: Final = "providers/Microsoft.Authorization/locks"
_EXTENSIONS: Final = "Microsoft.KubernetesConfiguration/extensions"

NEAR: Final[dict[str, tuple[Near, ...]]] = {
    "microsoft.containerservice/managedclusters": (
        Near(
            "{id}/agentPools",
            "2025-05-01",
            "Microsoft.ContainerService/managedClusters/agentPools",
        ),
        _in_nodes(_SCALE_SETS, COMPUTE),
        _in_nodes("Microsoft.Compute/virtualMachines", COMPUTE),
        _in_nodes("Microsoft.Network/loadBalancers", NETWORK),
        _in_nodes("Microsoft.Network/publicIPAddresses", NETWORK),
        _in_nodes("Microsoft.Network/networkSecurityGroups", NETWORK),
        _in_nodes("Microsoft.Network/routeTables", NETWORK),
        _in_nodes("Microsoft.Network/natGateways", NETWORK),
        _in_nodes("Microsoft.Network/privateEndpoints", NETWORK),
        _in_nodes("Microsoft.Network/privateDnsZones", DNS),
        _in_nodes("Microsoft.Network/virtualNetworks", NETWORK),
        Near(f"{{group}}/{_LOCKS}", "2016-09-01", "Microsoft.Authorization/locks"),
        Near(f"{{nodes}}/{_LOCKS}", "2016-09-01", "Microsoft.Authorization/locks"),
        Near("{subscription}/providers/Microsoft.Compute/locations/{place}/usages", COMPUTE),
        Near("{subscription}/providers/Microsoft.Network/locations/{place}/usages", NETWORK),
    ),
    "microsoft.compute/virtualmachinescalesets": (
        Near(
            "{id}/virtualMachines",
            COMPUTE,
            f"{_SCALE_SETS}/virtualMachines",
            (("$expand", "instanceView"),),
        ),
    ),
    "microsoft.network/privatednszones": (
        Near(
            "{id}/virtualNetworkLinks",
            DNS,
            "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
        ),
        Near("{id}/A", DNS, "Microsoft.Network/privateDnsZones/A"),
    ),
    "microsoft.network/firewallpolicies": (
        Near(
            "{id}/ruleCollectionGroups",
            NETWORK,
            "Microsoft.Network/firewallPolicies/ruleCollectionGroups",
        ),
    ),
    "microsoft.kubernetes/connectedclusters": (
        Near(f"{{id}}/providers/{_EXTENSIONS}", "2023-05-01", _EXTENSIONS),
        Near(f"{{group}}/{_LOCKS}", "2016-09-01", "Microsoft.Authorization/locks"),
    ),
    "microsoft.managednetworkfabric/l3isolationdomains": (
        Near("{id}/internalNetworks", FABRIC),
        Near("{id}/externalNetworks", FABRIC),
    ),
    "microsoft.networkcloud/clusters": (
        Near("{group}/providers/Microsoft.NetworkCloud/l3Networks", CLOUD),
        Near("{group}/providers/Microsoft.NetworkCloud/cloudServicesNetworks", CLOUD),
    ),
}
