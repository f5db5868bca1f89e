"""Services and what stands behind them, as documents that a user has."""

from collections.abc import Mapping
from typing import Any

from sickbay.engine.casebook import snapshot_of
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import Wiring, wiring

EVERYTHING = ("Pod", "Service", "EndpointSlice", "Endpoints", "Deployment", "DaemonSet", "Node")
NODE = "aks-np1-12345678-vmss000000"
OTHER_NODE = "aks-np1-12345678-vmss000001"


def service(name: str = "web", namespace: str = "shop", **spec: Any) -> dict[str, Any]:
    """A service of type ClusterIP for pods with `app: web`, unless told otherwise."""
    full = {
        "type": "ClusterIP",
        "clusterIP": "10.0.12.7",
        "selector": {"app": "web"},
        "ports": [{"port": 80, "targetPort": 8080, "protocol": "TCP"}],
        **spec,
    }
    kept = {key: value for key, value in full.items() if value is not None}
    return _object("v1", "Service", name, namespace, spec=kept)


def pod(
    name: str = "web-1", address: str = "10.244.1.5", namespace: str = "shop", **changes: Any
) -> dict[str, Any]:
    """A pod that is ready; `labels`, `ports`, `node`, `ready`, `status`, `deleted` change it."""
    ready = str(changes.get("ready", True))
    ports = changes.get("ports", [{"containerPort": 8080, "name": "http"}])
    status = {
        "phase": "Running",
        "podIP": address,
        "conditions": [{"type": "Ready", "status": ready}],
        "containerStatuses": [{"name": "app", "ready": ready == "True"}],
    }
    spec = {
        "nodeName": changes.get("node", NODE),
        "containers": [{"name": "app", "ports": ports}],
        **changes.get("spec", {}),
    }
    document = _object("v1", "Pod", name, namespace, spec=spec)
    document["metadata"]["labels"] = changes.get("labels", {"app": "web"})
    if changes.get("deleted"):
        document["metadata"]["deletionTimestamp"] = "2026-01-12T10:00:00Z"
    return {**document, "status": changes.get("status", status)}


def slices(
    *endpoints: dict[str, Any], name: str = "web-abc", of: str = "web", **fields: Any
) -> dict[str, Any]:
    """A slice of a service in the namespace `shop`."""
    document = _object("discovery.k8s.io/v1", "EndpointSlice", name, fields.get("in", "shop"))
    document["metadata"]["labels"] = {"kubernetes.io/service-name": of}
    ports = fields.get("ports", [{"name": "", "port": 8080, "protocol": "TCP"}])
    kind = fields.get("address_type", "IPv4")
    return {**document, "addressType": kind, "endpoints": list(endpoints), "ports": ports}


def endpoint(address: str = "10.244.1.5", pod: str = "web-1", **conditions: bool) -> dict[str, Any]:
    target = {"kind": "Pod", "namespace": "shop", "name": pod}
    return {
        "addresses": [address],
        "conditions": {"ready": True, **conditions},
        "nodeName": NODE,
        **({"targetRef": target} if pod else {}),
    }


def object_of(
    version: str, kind: str, name: str, namespace: str = "", **rest: Any
) -> dict[str, Any]:
    return _object(version, kind, name, namespace, **rest)


def seen(*documents: Mapping[str, Any], only: tuple[Any, ...] = EVERYTHING) -> Snapshot:
    """A snapshot of documents; of the kinds in `only` there are no others."""
    return snapshot_of({"documents": list(documents), "seen": list(only)})


def service_in(snapshot: Snapshot, name: str = "web", namespace: str = "shop") -> Service:
    found = snapshot.get(kube("Service", namespace, name), Service)
    assert found is not None
    return found


def wired(snapshot: Snapshot, port: int | str | None = 80, **asked: Any) -> Wiring:
    """The wiring of the service `shop/web`."""
    name, namespace = asked.pop("name", "web"), asked.pop("namespace", "shop")
    return wiring(snapshot, service_in(snapshot, name, namespace), port, **asked)


def decided(found: Wiring) -> tuple[str, str]:
    """The verdict and the first object that decides, as `KIND NAME`."""
    by = found.decision.by[0]
    return str(found.decision.verdict), f"{by.kind} {by.name}"


def said(found: Wiring) -> str:
    return "; ".join(decider.says for decider in found.decision.by)


def _object(version: str, kind: str, name: str, namespace: str, **rest: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **rest}
