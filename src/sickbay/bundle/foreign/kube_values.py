"""Kubernetes objects and lists that are already decoded."""

from typing import Any

from sickbay.bundle.sink import Sink
from sickbay.model.evidence import Origin


def is_kube(value: dict[str, Any]) -> bool:
    """Whether a value is an object of the Kubernetes API."""
    return isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str)


def take_kube(value: dict[str, Any], origin: Origin, sink: Sink) -> None:
    """Take an object, or each object of a list, and note what the list covers."""
    kind, items = str(value["kind"]), value.get("items")
    if not kind.endswith("List") or not isinstance(items, list):
        sink.kube(value, origin)
        return
    scopes = ListScopes()
    for index, item in enumerate(items):
        if isinstance(item, dict):
            body = item if "kind" in item else {"kind": kind.removesuffix("List"), **item}
            scopes.add(str(body["kind"]), str(_metadata(item).get("namespace") or ""))
            sink.kube(body, Origin(origin.source, f"{origin.locator}.items[{index}]"))
    if not _metadata(value).get("continue"):
        scopes.note(sink, kind.removesuffix("List"))


class ListScopes:
    """What a list of Kubernetes objects says of its scope.

    Several namespaces mean all, one means at least that one.
    """

    def __init__(self) -> None:
        self._namespaces: dict[str, set[str]] = {}

    def add(self, kind: str, namespace: str) -> None:
        self._namespaces.setdefault(kind, set()).add(namespace)

    def note(self, sink: Sink, kind_of_list: str) -> None:
        if not self._namespaces and kind_of_list:
            sink.seen(kind_of_list)
        for kind, namespaces in self._namespaces.items():
            sink.seen(kind, next(iter(namespaces)) if len(namespaces) == 1 else "")


def _metadata(value: dict[str, Any]) -> dict[str, Any]:
    metadata = value.get("metadata")
    return metadata if isinstance(metadata, dict) else {}
