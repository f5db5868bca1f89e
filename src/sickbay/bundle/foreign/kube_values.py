"""Kubernetes objects and lists that are already decoded."""

from typing import Any

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin
from sickbay.model.kinds import kube_class


def is_kube(value: dict[str, Any]) -> bool:
    """Whether a value is an object of the Kubernetes API; a Status is an answer, not an object."""
    kind = value.get("kind")
    return isinstance(kind, str) and kind != "Status" and isinstance(value.get("apiVersion"), str)


def take_kube(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take an object, or each object of a list, and note what the list covers."""
    kind, items = str(value["kind"]), value.get("items")
    if not kind.endswith("List") or not isinstance(items, list):
        sink.kube(value, origin)
        return
    scopes = ListScopes()
    # The API server names the objects of a list only once.
    named = {"apiVersion": value["apiVersion"], "kind": kind.removesuffix("List")}
    for index, item in enumerate(items):
        if isinstance(item, dict):
            body = item if "kind" in item else {**named, **item}
            known = str(body["kind"]), str(body.get("apiVersion", ""))
            scopes.add(*known, str(_metadata(item).get("namespace") or ""))
            sink.kube(body, Origin(origin.source, f"{origin.locator}.items[{index}]"))
    if not _metadata(value).get("continue"):
        scopes.note(sink, kind.removesuffix("List"))


class ListScopes:
    """What a list of Kubernetes objects says of its scope.

    Several namespaces mean all, one means at least that one.
    """

    def __init__(self) -> None:
        self._namespaces: dict[tuple[str, str], set[str]] = {}

    def add(self, kind: str, api_version: str, namespace: str) -> None:
        self._namespaces.setdefault((kind, api_version), set()).add(namespace)

    def note(self, sink: Sink, kind_of_list: str) -> None:
        if not self._namespaces and kind_of_list:
            sink.seen(kind_of_list)
        for (kind, api_version), namespaces in self._namespaces.items():
            # Other groups have kinds of the same name.
            known = kube_class(kind, api_version).kind or kind
            sink.seen(known, next(iter(namespaces)) if len(namespaces) == 1 else "")


def _metadata(value: dict[str, Any]) -> dict[str, Any]:
    metadata = value.get("metadata")
    return metadata if isinstance(metadata, dict) else {}
