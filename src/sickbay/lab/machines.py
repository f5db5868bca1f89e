"""What the service of AKS makes for a cluster: the group of its nodes, scale sets and addresses."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from sickbay.lab.bodies import Body
from sickbay.lab.place import guid
from sickbay.model.ids import arm, arm_type

if TYPE_CHECKING:
    from sickbay.lab.estate import Estate

_CLUSTER: Final = "microsoft.containerservice/managedclusters"
_POOL: Final = f"{_CLUSTER}/agentpools"
_DIGITS: Final = 8
_UNDER_WAY: Final = frozenset({"", None, "Creating", "Updating", "Scaling", "Upgrading"})


def grown(estate: "Estate", id: str) -> None:
    """Make what belongs to a cluster or a pool that is ready, and unmake what is too much."""
    type = arm_type(id).casefold()
    if type == _CLUSTER:
        for pool in estate.store.in_collection(f"{id}/agentPools"):
            _ready(estate, estate.store.id(pool))
        for given in shared(estate.store.get(id) or {}):
            estate.add(given)
    elif type == _POOL:
        _ready(estate, id)


def _ready(estate: "Estate", id: str) -> None:
    pool = estate.store.get(id) or {}
    cluster = estate.store.get(id.rsplit("/", 2)[0]) or {}
    inner = pool.setdefault("properties", {})
    if inner.get("provisioningState") in _UNDER_WAY:
        estate.store.put(id, {**pool, "properties": {**inner, "provisioningState": "Succeeded"}})
    wanted = {str(given["id"]).casefold(): given for given in machines(cluster, pool)}
    scale_set = next(iter(wanted), "")
    for old in list(estate.store.in_collection(f"{scale_set}/virtualMachines")):
        if old not in wanted:
            estate.store.drop(old)
    for key, given in wanted.items():
        if key not in estate.store or key == scale_set:
            estate.add(given)


def machines(cluster: Body, pool: Body) -> Iterator[Body]:
    """The scale set of a pool, and its instances."""
    inner, name = pool.get("properties", {}), pool.get("name", "")
    group = _nodes(cluster)
    suffix = _number(cluster)
    scale_set = f"aks-{name}-{suffix}-vmss"
    id = f"{group}/providers/Microsoft.Compute/virtualMachineScaleSets/{scale_set}"
    count, size = int(inner.get("count") or 0), str(inner.get("vmSize", ""))
    subnet = inner.get("vnetSubnetID") or f"{_network(cluster)}/subnets/aks-subnet"
    nic = _interface(scale_set, subnet, group)
    tags = {"aks-managed-poolName": name, "aks-managed-resourceNameSuffix": suffix}
    yield {
        "id": id,
        "location": cluster.get("location"),
        "tags": tags,
        "sku": {"name": size, "tier": "Standard", "capacity": count},
        "properties": {
            "virtualMachineProfile": {"networkProfile": {"networkInterfaceConfigurations": [nic]}}
        },
    }
    for number in range(count):
        yield {
            "id": f"{id}/virtualMachines/{number}",
            "location": cluster.get("location"),
            "tags": tags,
            "sku": {"name": size, "tier": "Standard"},
            "properties": {
                "hardwareProfile": {"vmSize": size},
                "networkProfileConfiguration": {"networkInterfaceConfigurations": [nic]},
            },
        }


def shared(cluster: Body) -> Iterator[Body]:
    """What a cluster has once: its way out, and its network where it brought none."""
    group, place = _nodes(cluster), cluster.get("location")
    id = str(cluster.get("id", ""))
    owned = {"aks-managed-cluster-name": arm(id).name, "aks-managed-cluster-rg": arm(id).group}
    yield {"id": group, "location": place, "managedBy": id, "tags": owned}
    profile = cluster.get("properties", {}).get("networkProfile", {})
    if str(profile.get("outboundType", "loadBalancer")) != "loadBalancer":
        return
    address = f"{group}/providers/Microsoft.Network/publicIPAddresses/{guid(group)}"
    balancer = f"{group}/providers/Microsoft.Network/loadBalancers/kubernetes"
    front = {"id": f"{balancer}/frontendIPConfigurations/outbound"}
    back = {"id": f"{balancer}/backendAddressPools/aksOutboundBackendPool"}
    yield {
        "id": address,
        "location": place,
        "properties": {"ipAddress": "20.61.10.4", "ipConfiguration": front},
    }
    yield {
        "id": balancer,
        "location": place,
        "properties": {
            "frontendIPConfigurations": [
                {**front, "name": "outbound", "properties": {"publicIPAddress": {"id": address}}}
            ],
            "backendAddressPools": [{**back, "name": "aksOutboundBackendPool", "properties": {}}],
            "outboundRules": [
                {
                    "id": f"{balancer}/outboundRules/aksOutboundRule",
                    "name": "aksOutboundRule",
                    "properties": {
                        "allocatedOutboundPorts": 0,
                        "protocol": "All",
                        "idleTimeoutInMinutes": 30,
                        "backendAddressPool": back,
                        "frontendIPConfigurations": [front],
                    },
                }
            ],
        },
    }
    pools = cluster.get("properties", {}).get("agentPoolProfiles") or ()
    if not any(pool.get("vnetSubnetID") for pool in pools):
        yield from _own_network(cluster)


def _own_network(cluster: Body) -> Iterator[Body]:
    network, place = _network(cluster), cluster.get("location")
    spaces = {"addressSpace": {"addressPrefixes": ["10.224.0.0/12"]}}
    yield {"id": network, "location": place, "properties": spaces}
    subnet = f"{network}/subnets/aks-subnet"
    yield {"id": subnet, "properties": {"addressPrefix": "10.224.0.0/16"}}


def _nodes(cluster: Body) -> str:
    subscription = arm(str(cluster.get("id", ""))).subscription
    name = cluster.get("properties", {}).get("nodeResourceGroup", "")
    return f"/subscriptions/{subscription}/resourceGroups/{name}"


def _network(cluster: Body) -> str:
    name = f"aks-vnet-{_number(cluster)}"
    return f"{_nodes(cluster)}/providers/Microsoft.Network/virtualNetworks/{name}"


def _number(cluster: Body) -> str:
    """The eight digits in the names of what belongs to a cluster."""
    return str(int(guid(str(cluster.get("id", "")))[:8], 16))[:_DIGITS].rjust(_DIGITS, "1")


def _interface(name: str, subnet: str, group: str) -> Body:
    back = f"{group}/providers/Microsoft.Network/loadBalancers/kubernetes/backendAddressPools/"
    inner = {
        "primary": True,
        "subnet": {"id": subnet},
        "privateIPAddressVersion": "IPv4",
        "loadBalancerBackendAddressPools": [{"id": f"{back}aksOutboundBackendPool"}],
    }
    return {
        "name": name,
        "properties": {
            "primary": True,
            "enableAcceleratedNetworking": True,
            "disableTcpStateTracking": False,
            "dnsSettings": {"dnsServers": []},
            "enableIPForwarding": True,
            "ipConfigurations": [{"name": "ipconfig1", "properties": inner}],
        },
    }
