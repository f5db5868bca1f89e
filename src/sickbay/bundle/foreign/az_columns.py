"""What the columns of `az … -o table` tell: which type of resource its rows are."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_NETWORK: Final = "Microsoft.Network"
_CLOUD: Final = "Microsoft.NetworkCloud"
_FABRIC: Final = "Microsoft.ManagedNetworkFabric"
_AKS: Final = "Microsoft.ContainerService/managedClusters"
_CONNECTED: Final = "Microsoft.Kubernetes/connectedClusters"
_APPLIANCE: Final = "Microsoft.ResourceConnector/appliances"
_HYBRID: Final = "Microsoft.HybridContainerService/provisionedClusters"


class Family(NamedTuple):
    """A command's rows: their type, and how its columns are called in a document."""

    type: str
    renamed: Mapping[str, str] = {}


_POOL: Final = Family(f"{_AKS}/agentPools", {"kubernetesversion": "orchestratorVersion"})
# Columns that only one command prints, in lower case; the first that are all there decide.
_BY_COLUMNS: Final = (
    (frozenset({"name", "currentkubernetesversion", "fqdn"}), Family(_AKS)),
    (frozenset({"name", "vmsize", "count", "maxpods", "mode"}), _POOL),
    (
        frozenset({"name", "capacity", "upgradepolicy"}),
        Family("Microsoft.Compute/virtualMachineScaleSets", {"capacity": "sku.capacity"}),
    ),
    (
        frozenset({"instanceid", "latestmodelapplied", "provisioningstate"}),
        Family("Microsoft.Compute/virtualMachineScaleSets/virtualMachines"),
    ),
    (
        frozenset({"name", "resourcegroup", "powerstate", "publicips"}),
        Family("Microsoft.Compute/virtualMachines"),
    ),
    (
        frozenset({"name", "numsubnets", "prefixes"}),
        Family(
            f"{_NETWORK}/virtualNetworks",
            {"prefixes": "addressSpace.addressPrefixes", "dnsservers": "dhcpOptions.dnsServers"},
        ),
    ),
    (
        frozenset({"addressprefix", "name", "privateendpointnetworkpolicies"}),
        Family(f"{_NETWORK}/virtualNetworks/subnets"),
    ),
    (
        frozenset({"name", "address", "allocationmethod"}),
        Family(f"{_NETWORK}/publicIPAddresses", {"address": "ipAddress"}),
    ),
    (frozenset({"namespace", "registrationstate"}), Family("Microsoft.Resources/providers")),
    (frozenset({"level", "name", "resourcegroup"}), Family("Microsoft.Authorization/locks")),
    (
        frozenset({"name", "cloudname", "subscriptionid", "state"}),
        Family("Microsoft.Resources/subscriptions", {"name": "displayName"}),
    ),
    (
        frozenset({"readystate", "cordonstatus", "powerstate"}),
        Family(f"{_CLOUD}/bareMetalMachines"),
    ),
    (
        frozenset({"name", "administrativestate", "redistributeconnectedsubnets"}),
        Family(f"{_FABRIC}/l3IsolationDomains"),
    ),
    (
        frozenset({"name", "location", "administrativestate", "vlanid"}),
        Family(f"{_FABRIC}/l2IsolationDomains"),
    ),
    (frozenset({"name", "networkdevicerole"}), Family(f"{_FABRIC}/networkDevices")),
    (frozenset({"name", "clusterconnectionstatus"}), Family(f"{_CLOUD}/clusters")),
    (frozenset({"name", "connectivitystatus", "agentversion"}), Family(_CONNECTED)),
    (frozenset({"name", "distro", "status", "version"}), Family(_APPLIANCE)),
)  # fmt: skip
# Many commands print the same few columns: then the command itself tells.
_BY_COMMAND: Final = {
    "aks nodepool": _POOL.type,
    "aks": _AKS,
    "vmss": "Microsoft.Compute/virtualMachineScaleSets",
    "vm": "Microsoft.Compute/virtualMachines",
    "network vnet subnet": f"{_NETWORK}/virtualNetworks/subnets",
    "network vnet": f"{_NETWORK}/virtualNetworks",
    "network nsg": f"{_NETWORK}/networkSecurityGroups",
    "network route table": f"{_NETWORK}/routeTables",
    "network public ip": f"{_NETWORK}/publicIPAddresses",
    "network lb": f"{_NETWORK}/loadBalancers",
    "network nat gateway": f"{_NETWORK}/natGateways",
    "connectedk8s": _CONNECTED,
    "arcappliance": _APPLIANCE,
    "customlocation": "Microsoft.ExtendedLocation/customLocations",
    "hybridaks nodepool": f"{_HYBRID}/agentPools",
    "hybridaks vnet": "Microsoft.HybridContainerService/virtualNetworks",
    "hybridaks": _HYBRID,
    "networkcloud cluster": f"{_CLOUD}/clusters",
    "networkcloud baremetalmachine": f"{_CLOUD}/bareMetalMachines",
    "networkcloud kubernetescluster": f"{_CLOUD}/kubernetesClusters",
    "networkcloud l2network": f"{_CLOUD}/l2Networks",
    "networkcloud l3network": f"{_CLOUD}/l3Networks",
    "networkcloud trunkednetwork": f"{_CLOUD}/trunkedNetworks",
    "networkcloud cloudservicesnetwork": f"{_CLOUD}/cloudServicesNetworks",
    "networkcloud defaultcninetwork": f"{_CLOUD}/defaultCniNetworks",
    "networkcloud virtualmachine": f"{_CLOUD}/virtualMachines",
    "networkcloud clustermanager": f"{_CLOUD}/clusterManagers",
    "networkcloud storageappliance": f"{_CLOUD}/storageAppliances",
    "networkcloud kubernetescluster agentpool": f"{_CLOUD}/kubernetesClusters/agentPools",
    "networkcloud kubernetescluster feature": f"{_CLOUD}/kubernetesClusters/features",
    "networkfabric fabric": f"{_FABRIC}/networkFabrics",
    "networkfabric controller": f"{_FABRIC}/networkFabricControllers",
    "networkfabric device": f"{_FABRIC}/networkDevices",
    "networkfabric l2domain": f"{_FABRIC}/l2IsolationDomains",
    "networkfabric l3domain": f"{_FABRIC}/l3IsolationDomains",
    "networkfabric internalnetwork": f"{_FABRIC}/l3IsolationDomains/internalNetworks",
    "networkfabric externalnetwork": f"{_FABRIC}/l3IsolationDomains/externalNetworks",
    "networkfabric nni": f"{_FABRIC}/networkFabrics/networkToNetworkInterconnects",
    "networkfabric routepolicy": f"{_FABRIC}/routePolicies",
    "networkfabric tap": f"{_FABRIC}/networkTaps",
}
_LISTS: Final = frozenset({"addressSpace.addressPrefixes", "dhcpOptions.dnsServers"})


def family_of(columns: list[str], command: str) -> Family | None:
    """The family of a table, by what it prints or by the command line above it."""
    names = {column.casefold() for column in columns}
    for needed, family in _BY_COLUMNS:
        if needed <= names:
            return family
    if "name" not in names:
        return None
    found = re.match(r"az +([a-z0-9 -]+?) +(?:list|show)(?![\w-])", command)
    type = _BY_COMMAND.get(" ".join(found[1].replace("-", " ").split())) if found else None
    return Family(type) if type else None


def command_above(lines: list[str], source: str) -> str:
    """The last `az` command that some lines show, else the one that a file is called after."""
    for line in reversed(lines):
        if found := re.search(r"\baz +[a-z]", line[:2000]):
            return line[found.start() : 2000]
    words = re.split(r"[^a-z0-9]+", source.casefold().rpartition("/")[2])
    return " ".join(words if words[0] == "az" else ["az", *words])


def document(columns: list[str], cells: list[str], family: Family) -> dict[str, Any]:
    """A row as the document that it was made from, as far as it tells."""
    body: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        if not cell:
            continue
        name = family.renamed.get(column.casefold(), column[:1].lower() + column[1:])
        outer, _, inner = name.partition(".")
        if not inner:
            body[name] = cell
            continue
        value = [part.strip() for part in cell.split(",")] if name in _LISTS else cell
        body.setdefault(outer, {})[inner] = value
    return body
