"""Clusters for the tests of policies, from documents as users have them."""

from collections.abc import Iterable
from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy import decide
from sickbay.network.traffic import Decision, Place, Traffic

Document = dict[str, Any]
ADMIN_V1 = "policy.networking.k8s.io/v1alpha1"
ADMIN_V2 = "policy.networking.k8s.io/v1alpha2"


def pod(
    name: str,
    labels: dict[str, str] | None = None,
    *,
    ip: str | tuple[str, ...] = (),
    node: str = "",
    ports: Iterable[tuple[str, int] | tuple[str, int, str]] = (),
    **spec: Any,
) -> Document:
    """A pod `namespace/name`; ports are (name, number, protocol)."""
    namespace, _, short = name.partition("/")
    ips = (ip,) if isinstance(ip, str) else ip
    status: Document = {"phase": spec.pop("phase", "Running")}
    if ips:
        status |= {"podIP": ips[0], "podIPs": [{"ip": one} for one in ips]}
    listed = [_port(*port) for port in ports]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": short, "namespace": namespace, "labels": labels or {}},
        "spec": {
            "containers": [{"name": "main", "ports": listed}],
            **({"nodeName": node} if node else {}),
            **spec,
        },
        "status": status,
    }


def _port(name: str, number: int, protocol: str = "TCP") -> Document:
    named = {"name": name} if name else {}
    return {**named, "containerPort": number, "protocol": protocol}


def namespace(name: str, **labels: str) -> Document:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def node(name: str, ip: str, **labels: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"addresses": [{"type": "InternalIP", "address": ip}]},
    }


def policy(name: str, **spec: Any) -> Document:
    """A NetworkPolicy `namespace/name`; it selects every pod unless told otherwise."""
    space, _, short = name.partition("/")
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": short, "namespace": space},
        "spec": {"podSelector": {}, **spec},
    }


def admin(name: str, priority: int, **spec: Any) -> Document:
    return {
        "apiVersion": ADMIN_V1,
        "kind": "AdminNetworkPolicy",
        "metadata": {"name": name},
        "spec": {"priority": priority, "subject": {"namespaces": {}}, **spec},
    }


def baseline(**spec: Any) -> Document:
    return {
        "apiVersion": ADMIN_V1,
        "kind": "BaselineAdminNetworkPolicy",
        "metadata": {"name": "default"},
        "spec": {"subject": {"namespaces": {}}, **spec},
    }


def cluster_policy(name: str, tier: str, priority: int, **spec: Any) -> Document:
    return {
        "apiVersion": ADMIN_V2,
        "kind": "ClusterNetworkPolicy",
        "metadata": {"name": name},
        "spec": {"tier": tier, "priority": priority, "subject": {"namespaces": {}}, **spec},
    }


def cluster(*documents: Document) -> Snapshot:
    """A snapshot of which the policies were read to their end."""
    return snapshot_of({"documents": documents, "seen": ["NetworkPolicy"]})


def place(snapshot: Snapshot, text: str) -> Place:
    """`namespace/name` is a pod, `node:NAME` a node, `internet`, `fqdn:NAME`, else an address."""
    if text == "internet":
        return Place(text, is_internet=True)
    kind, _, rest = text.partition(":")
    if kind == "fqdn":
        return Place(rest, fqdn=rest)
    if kind == "node":
        found = snapshot.find(kube("Node", "", rest))
        assert isinstance(found, Node)
        return Place(f"node/{rest}", node=found)
    space, slash, name = text.partition("/")
    if not slash:
        return Place(text, (text,))
    found = snapshot.find(kube("Pod", space, name))
    assert isinstance(found, Pod), text
    return Place(text, pod=found)


def asked(snapshot: Snapshot, source: str, target: str, traffic: str = "TCP 80") -> Decision:
    """What the policies say of `TCP 80` (or `TCP`, without a port) between two places."""
    protocol, _, port = traffic.partition(" ")
    asked_for = Traffic(protocol, int(port) if port else None)
    return decide(snapshot, place(snapshot, source), place(snapshot, target), asked_for)


def verdict(snapshot: Snapshot, source: str, target: str, traffic: str = "TCP 80") -> str:
    return str(asked(snapshot, source, target, traffic).verdict)
