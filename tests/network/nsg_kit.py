"""Builds networks with security groups the way that users have them: as documents of Azure."""

from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.snapshot import Snapshot
from sickbay.network.flow import Flow
from sickbay.network.nsg import Crossing, decide
from sickbay.network.traffic import Decision

GROUP = "/subscriptions/0000/resourceGroups/net"
NETWORK = f"{GROUP}/providers/Microsoft.Network"
NODES = "/subscriptions/0000/resourceGroups/MC_net"
VNET = f"{NETWORK}/virtualNetworks/vnet"
SUBNET = f"{VNET}/subnets/aks-subnet"
NSG = f"{NETWORK}/networkSecurityGroups/web-nsg"
NODE_NSG = f"{NODES}/providers/Microsoft.Network/networkSecurityGroups/aks-agentpool-1-nsg"
SCALE_SET = f"{NODES}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-pool-vmss"
NIC = f"{SCALE_SET}/virtualMachines/0/networkInterfaces/aks-pool-vmss"

OUT = Crossing("Outbound", SUBNET)
IN = Crossing("Inbound", SUBNET)
WEB = Flow("10.1.0.4", "93.184.216.34", "TCP", 443)


def rule(name: str, priority: int, action: str, **fields: Any) -> dict[str, Any]:
    """A rule for anything, but for what is said; the action is `Deny Outbound` and the like."""
    access, direction = action.split()
    properties = {
        "access": access,
        "direction": direction,
        "priority": priority,
        "protocol": "*",
        "sourceAddressPrefix": "*",
        "sourcePortRange": "*",
        "destinationAddressPrefix": "*",
        "destinationPortRange": "*",
    }
    return {"name": name, "properties": properties | fields}


def group(*rules: dict[str, Any], id: str = NSG, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id.rpartition("/")[2], "securityRules": list(rules), **fields}


def subnet(nsg: str = NSG, **fields: Any) -> dict[str, Any]:
    attached = {"networkSecurityGroup": {"id": nsg}} if nsg else {}
    return {"id": SUBNET, "name": "aks-subnet", "addressPrefix": "10.1.0.0/24", **attached} | fields


def network(*subnets: dict[str, Any], **fields: Any) -> dict[str, Any]:
    space = {"addressPrefixes": ["10.1.0.0/16"]}
    return {
        "id": VNET,
        "name": "vnet",
        "addressSpace": space,
        "subnets": list(subnets) or [subnet()],
        **fields,
    }


def interface(address: str, id: str = NIC, **fields: Any) -> dict[str, Any]:
    part = {"privateIPAddress": address, "subnet": {"id": SUBNET}}
    return {"id": id, "name": id.rpartition("/")[2], "ipConfigurations": [part | fields]}


def cluster(mode: str = "overlay", **fields: Any) -> dict[str, Any]:
    """A cluster in the network; the mode is `overlay`, `kubenet` or empty for a flat one."""
    plugin = "kubenet" if mode == "kubenet" else "azure"
    pods = {"podCidr": "10.244.0.0/16"} if mode else {}
    profile = {"networkPlugin": plugin, "networkPluginMode": mode or None, **pods}
    return {
        "id": f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/aks",
        "name": "aks",
        "nodeResourceGroup": "MC_net",
        "networkProfile": profile,
        "agentPoolProfiles": [{"name": "pool", "vnetSubnetID": SUBNET, **fields}],
    }


def seen(*documents: dict[str, Any]) -> Snapshot:
    return snapshot_of({"documents": list(documents)})


def decided(
    *rules: dict[str, Any], flow: Flow = WEB, crossing: Crossing = OUT, **fields: Any
) -> Decision:
    """What a network with one group of these rules says of a flow."""
    found = decide(seen(network(), group(*rules, **fields)), crossing, flow)
    assert found is not None
    return found
