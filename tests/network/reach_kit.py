"""A cluster behind a firewall, with policies and services: as documents, and how to ask it."""

from typing import Any

import routing_kit as net  # type: ignore[import-not-found]

from sickbay.engine.casebook import snapshot_of
from sickbay.model.snapshot import Snapshot
from sickbay.network.reach import Reached, reach
from sickbay.network.reach_legs import Asked
from sickbay.network.reach_spots import spot_of
from sickbay.network.traffic import Traffic

Document = dict[str, Any]

NODES = ("aks-np-vmss000000", "aks-np-vmss000001")
EVERYTHING = ("Pod", "Node", "Service", "NetworkPolicy", "Namespace")
CLIENT = "203.0.113.7"


def pod(name: str, address: str, **changes: Any) -> Document:
    """A ready pod of the namespace `shop`, labelled by the word before its number."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": changes.get("namespace", "shop"),
            "labels": {"app": name.partition("-")[0]},
        },
        "spec": {
            "nodeName": changes.get("node", NODES[0]),
            "containers": [{"name": "c", "ports": changes.get("ports", [{"containerPort": 80}])}],
        },
        "status": {
            "phase": "Running",
            "podIP": address,
            "conditions": [{"type": "Ready", "status": changes.get("ready", "True")}],
        },
    }


def node(name: str, address: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.azure.com/agentpool": "np"}},
        "spec": {},
        "status": {
            "addresses": [{"type": "InternalIP", "address": address}],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def service(name: str = "db", address: str = "10.0.0.50", **spec: Any) -> Document:
    wanted = {
        "type": "ClusterIP",
        "clusterIP": address,
        "selector": {"app": name},
        "ports": [{"port": 5432, "targetPort": 80, "protocol": "TCP"}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": wanted | spec,
        "status": {"loadBalancer": {"ingress": [{"ip": "20.1.2.3"}]}}
        if spec.get("type") == "LoadBalancer"
        else {},
    }


def policy(name: str, app: str = "", **spec: Any) -> Document:
    """A policy that isolates the pods of an app, or all; allows what it is told."""
    selector = {"matchLabels": {"app": app}} if app else {}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"podSelector": selector, **spec},
    }


def shop() -> list[Document]:
    """Two web pods, two of a database on the other node, and a service before these."""
    return [
        node(NODES[0], "10.1.0.4"),
        node(NODES[1], "10.1.0.5"),
        pod("web-0", "10.1.0.20"),
        pod("web-1", "10.1.0.21"),
        pod("db-0", "10.1.0.40", node=NODES[1]),
        pod("db-1", "10.1.0.41", node=NODES[1]),
        service(),
    ]


def cluster(**properties: Any) -> Document:
    """A cluster whose nodes are in the subnet of the routing kit."""
    pool = {"name": "np", "vnetSubnetID": net.SUBNET, "count": 2}
    wanted = {
        "agentPoolProfiles": [pool],
        "fqdn": "prod-1.hcp.westeurope.azmk8s.io",
        "nodeResourceGroup": "mc",
        "networkProfile": {"networkPlugin": "azure", "outboundType": "loadBalancer"},
    }
    return {**net.resource(net.CLUSTER, **(wanted | properties)), "location": "westeurope"}


def evidence(*documents: Document, seen: tuple[str, ...] = EVERYTHING) -> Snapshot:
    return snapshot_of({"documents": [*shop(), *documents], "seen": list(seen)})


def ask(
    snapshot: Snapshot,
    source: str,
    target: str,
    port: int | None = None,
    *,
    client: str = "",
) -> Reached:
    ends = spot_of(snapshot, source), spot_of(snapshot, target)
    return reach(snapshot, Asked(*ends, Traffic("TCP", port), client=client))


def deciders(found: Reached) -> list[str]:
    return [f"{one.kind} {one.name}" for one in found.by]


def layers(found: Reached) -> list[str]:
    return [leg.layer for leg in found.legs]
