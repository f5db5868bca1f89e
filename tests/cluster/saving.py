"""Saves what a person would save with kubectl: lists, events and logs, of one namespace or all."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.running import Cluster

KINDS = (
    "pods services endpointslices events deployments replicasets statefulsets daemonsets jobs "
    "cronjobs configmaps serviceaccounts persistentvolumeclaims resourcequotas limitranges "
    "ingresses networkpolicies poddisruptionbudgets horizontalpodautoscalers roles rolebindings "
    "namespaces nodes persistentvolumes storageclasses ingressclasses priorityclasses apiservices "
    "validatingwebhookconfigurations mutatingwebhookconfigurations customresourcedefinitions "
    "clusterroles clusterrolebindings csinodes csidrivers volumeattachments runtimeclasses"
).split()
_LINES = "--tail=200"
_AT_ONCE = 4


@dataclass(frozen=True)
class Saved:
    """The state of a cluster at one moment."""

    # By plural name: what kind of list it is, and what is in it.
    lists: dict[str, tuple[dict[str, str], list[dict[str, Any]]]]
    # By namespace, pod, container and file.
    logs: dict[tuple[str, str, str, str], str]

    def write(self, folder: Path, namespace: str = "") -> Path:
        """Write the part that concerns one namespace, or all of it, as files."""
        folder.mkdir(parents=True)
        for kind, (head, items) in self.lists.items():
            part = [item for item in items if _is_of(namespace, item)]
            # The kind of the list, as the server says it: an empty list tells that there are none.
            (folder / f"{kind}.json").write_text(
                json.dumps({**head, "metadata": {}, "items": part})
            )
        for (where, pod, container, file), text in self.logs.items():
            if namespace in {"", where}:
                logs = folder / "namespaces" / where / "pods" / pod / container / container / "logs"
                logs.mkdir(parents=True, exist_ok=True)
                (logs / file).write_text(text)
        return folder


def save(cluster: Cluster) -> Saved:
    """Fetch all lists, and the logs of all containers that have run."""
    heads = _heads(cluster)
    with ThreadPoolExecutor(_AT_ONCE) as side_by_side:
        fetched = side_by_side.map(lambda kind: cluster.get(kind, "-A")["items"], KINDS)
        lists = {kind: (heads[kind], items) for kind, items in zip(KINDS, fetched, strict=True)}
        # Of secrets nobody hands on more than the names.
        secrets = cluster.get("secrets", "-A")["items"]
        lists["secrets"] = (heads["secrets"], [_without_data(secret) for secret in secrets])
        wanted = [look for pod in lists["pods"][1] for look in _looks(pod)]
        said = side_by_side.map(lambda look: _log(cluster, look), wanted)
        logs = {look: text for look, text in zip(wanted, said, strict=True) if text.strip()}
    return Saved(lists, logs)


def _heads(cluster: Cluster) -> dict[str, dict[str, str]]:
    """What the server calls the lists of each kind."""
    lines = cluster.kubectl("api-resources", "--no-headers").splitlines()
    rows = [(line.split()[0], *line.split()[-3:]) for line in lines]
    return {
        plural: {"apiVersion": version, "kind": f"{kind}List"}
        for plural, version, _, kind in reversed(rows)
    }


def _without_data(secret: dict[str, Any]) -> dict[str, Any]:
    metadata = {key: secret["metadata"][key] for key in ("name", "namespace")}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}


def _is_of(namespace: str, item: dict[str, Any]) -> bool:
    if not namespace:
        return True
    metadata = item["metadata"]
    # Webhooks bear the name of the namespace that they are for.
    if item["kind"] in {"Namespace", "ValidatingWebhookConfiguration"}:
        return bool(metadata["name"] == namespace)
    return bool(metadata.get("namespace", namespace) == namespace)


def _looks(pod: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
    status = pod["status"]
    return [
        (namespace, name, each["name"], file)
        for each in [*status.get("initContainerStatuses", ()), *status.get("containerStatuses", ())]
        for file in ("current.log", "previous.log")
        if file == "current.log" or each.get("restartCount")
    ]


def _log(cluster: Cluster, look: tuple[str, str, str, str]) -> str:
    namespace, pod, container, file = look
    extra = ("--previous",) if file == "previous.log" else ()
    try:
        return cluster.kubectl("logs", pod, "-n", namespace, "-c", container, _LINES, *extra)
    except RuntimeError:
        return ""  # the container has gone meanwhile
