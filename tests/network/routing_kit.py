"""Documents of a small hub and spoke, as users save them, and snapshots made of them."""

from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.snapshot import Snapshot

GROUP = "/subscriptions/s/resourceGroups/net"
NODE_GROUP = "/subscriptions/s/resourceGroups/mc"
NETWORK = f"{GROUP}/providers/Microsoft.Network"
NODE_NETWORK = f"{NODE_GROUP}/providers/Microsoft.Network"
SPOKE = f"{NETWORK}/virtualNetworks/spoke"
HUB = f"{NETWORK}/virtualNetworks/hub"
SUBNET = f"{SPOKE}/subnets/nodes"
TABLE = f"{NETWORK}/routeTables/rt"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
PUBLIC = "93.184.216.34"

Document = dict[str, Any]


def evidence(*documents: Document, seen: tuple[Any, ...] = ()) -> Snapshot:
    return snapshot_of({"documents": list(documents), "seen": list(seen)})


def resource(id: str, **properties: Any) -> Document:
    return {"id": id, "name": id.rpartition("/")[2], "properties": properties}


def space(*prefixes: str) -> Document:
    return {"addressPrefixes": list(prefixes)}


def network(
    *prefixes: str, id: str = SPOKE, peerings: tuple[Document, ...] = (), **more: Any
) -> Document:
    return resource(
        id, addressSpace=space(*prefixes), virtualNetworkPeerings=list(peerings), **more
    )


def peering(
    *prefixes: str, name: str = "to-hub", state: str = "Connected", **more: Any
) -> Document:
    return resource(
        f"{SPOKE}/virtualNetworkPeerings/{name}",
        peeringState=state,
        remoteVirtualNetwork={"id": HUB},
        remoteAddressSpace=space(*prefixes) if prefixes else None,
        **more,
    )


def subnet(*, table: str = "", prefix: str = "10.1.0.0/24", **more: Any) -> Document:
    if table:
        more["routeTable"] = {"id": table}
    return resource(SUBNET, addressPrefix=prefix, **more)


def route(name: str, prefix: str, kind: str, address: str = "") -> Document:
    body: Document = {"addressPrefix": prefix, "nextHopType": kind}
    if address:
        body["nextHopIpAddress"] = address
    return resource(f"{TABLE}/routes/{name}", **body)


def table(*routes: Document, id: str = TABLE, **more: Any) -> Document:
    return resource(id, routes=list(routes), **more)


def node(name: str, address: str, pod_cidr: str = "", pool: str = "np1") -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.azure.com/agentpool": pool}},
        "spec": {
            "podCIDR": pod_cidr,
            "providerID": f"azure://{NODE_GROUP}/providers/Microsoft.Compute/"
            f"virtualMachineScaleSets/vmss/virtualMachines/{name}",
        },
        "status": {"addresses": [{"type": "InternalIP", "address": address}]},
    }


def cluster(outbound: str = "loadBalancer", plugin: str = "azure", **more: Any) -> Document:
    pool = {"name": "np1", "count": 3, "vnetSubnetID": SUBNET}
    return resource(
        CLUSTER,
        nodeResourceGroup="mc",
        networkProfile={"outboundType": outbound, "networkPlugin": plugin},
        agentPoolProfiles=[pool],
        **more,
    )
