"""Documents of private zones, networks and clusters as users save them, and snapshots of them."""

from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot

GROUP = "/subscriptions/s/resourceGroups/rg"
NODE_GROUP = "/subscriptions/s/resourceGroups/MC_rg_prod"
NETWORK = f"{GROUP}/providers/Microsoft.Network"
NODE_NETWORK = f"{NODE_GROUP}/providers/Microsoft.Network"
HUB = f"{NETWORK}/virtualNetworks/hub"
SPOKE = f"{NETWORK}/virtualNetworks/spoke"
SUBNET = f"{SPOKE}/subnets/nodes"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
API_ZONE = "privatelink.westeurope.azmk8s.io"
API_NAME = f"prod-1.guid.{API_ZONE}"
PUBLIC_NAME = "prod-1.hcp.westeurope.azmk8s.io"

ZONES = "Microsoft.Network/privateDnsZones"
RECORDS = (f"{ZONES}/A", f"{ZONES}/AAAA", f"{ZONES}/CNAME")

Document = dict[str, Any]


def evidence(*documents: Document, seen: tuple[Any, ...] = ()) -> Snapshot:
    return snapshot_of({"documents": list(documents), "seen": list(seen)})


def resource(id: str, **properties: Any) -> Document:
    return {"id": id, "name": id.rpartition("/")[2], "properties": properties}


def network(id: str = SPOKE, *prefixes: str, servers: tuple[str, ...] = ()) -> Document:
    return resource(
        id,
        addressSpace={"addressPrefixes": list(prefixes)},
        dhcpOptions={"dnsServers": list(servers)},
    )


def zone_id(name: str, group: str = NETWORK) -> str:
    return f"{group}/privateDnsZones/{name}"


def zone(name: str, links: int | None = None, group: str = NETWORK) -> Document:
    return resource(zone_id(name, group), numberOfVirtualNetworkLinks=links)


def link(name: str, to: str, state: str = "Completed", policy: str = "Default") -> Document:
    return resource(
        f"{zone_id(name)}/virtualNetworkLinks/{to.rpartition('/')[2]}",
        virtualNetwork={"id": to},
        virtualNetworkLinkState=state,
        resolutionPolicy=policy,
        registrationEnabled=False,
    )


def a_record(zone_name: str, relative: str, *addresses: str) -> Document:
    records = [{"ipv4Address": one} for one in addresses]
    return resource(f"{zone_id(zone_name)}/A/{relative}", aRecords=records)


def aaaa_record(zone_name: str, relative: str, *addresses: str) -> Document:
    records = [{"ipv6Address": one} for one in addresses]
    return resource(f"{zone_id(zone_name)}/AAAA/{relative}", aaaaRecords=records)


def cname(zone_name: str, relative: str, other: str) -> Document:
    return resource(f"{zone_id(zone_name)}/CNAME/{relative}", cnameRecord={"cname": other})


def endpoint(id: str, fqdn: str, *addresses: str) -> Document:
    configs = [{"fqdn": fqdn, "ipAddresses": list(addresses)}]
    return resource(id, customDnsConfigs=configs, subnet={"id": SUBNET})


def server_endpoint(*addresses: str) -> Document:
    return endpoint(f"{NODE_NETWORK}/privateEndpoints/kube-apiserver", "", *addresses)


def cluster(access: Document | None = None, **properties: Any) -> Document:
    return {
        **resource(
            CLUSTER,
            nodeResourceGroup="MC_rg_prod",
            fqdn=PUBLIC_NAME,
            apiServerAccessProfile=access or {},
            **properties,
        ),
        "location": "westeurope",
    }


def private_cluster(access: Document | None = None, **properties: Any) -> Document:
    return cluster(
        {"enablePrivateCluster": True, "privateDNSZone": "system", **(access or {})},
        privateFQDN=API_NAME,
        **properties,
    )


def pool(**properties: Any) -> Document:
    return {"name": "pool1", "vnetSubnetID": SUBNET, **properties}


def pod(namespace: str = "shop", name: str = "web", **spec: Any) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"containers": [], **spec},
    }


def service(namespace: str, name: str, **spec: Any) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def config_map(name: str, **data: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "kube-system"},
        "data": {key.replace("__", "."): text for key, text in data.items()},
    }


def the_cluster(snapshot: Snapshot) -> ManagedCluster:
    found = snapshot.find(arm(CLUSTER))
    assert isinstance(found, ManagedCluster)
    return found


def the_pod(snapshot: Snapshot, namespace: str = "shop", name: str = "web") -> Pod:
    found = snapshot.find(kube("Pod", namespace, name))
    assert isinstance(found, Pod)
    return found
