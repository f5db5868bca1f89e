"""A cluster as raw documents, and the plain questions that one can ask of its ends."""

import ipaddress
from typing import Any

Document = dict[str, Any]
End = tuple[str, str]  # ("pod", "ns/name"), ("node", name) or ("ip", address)
NAME = "kubernetes.io/metadata.name"


class World:
    """A cluster as a list of documents."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def kind(self, kind: str) -> list[Document]:
        return [d for d in self.documents if d["kind"] == kind]

    def pod(self, name: str) -> Document:
        return next(
            d
            for d in self.kind("Pod")
            if d["metadata"]["namespace"] + "/" + d["metadata"]["name"] == name
        )

    def node(self, name: str) -> Document:
        return next(d for d in self.kind("Node") if d["metadata"]["name"] == name)

    def namespace_labels(self, name: str) -> dict[str, str]:
        for document in self.kind("Namespace"):
            if document["metadata"]["name"] == name:
                return {**document["metadata"]["labels"], NAME: name}
        raise KeyError(name)


def label_selector(selector: Document, labels: dict[str, str]) -> bool:
    for key, value in (selector.get("matchLabels") or {}).items():
        if key not in labels or labels[key] != value:
            return False
    for expression in selector.get("matchExpressions") or []:
        key, operator = expression["key"], expression["operator"]
        if operator == "In" and not (key in labels and labels[key] in expression["values"]):
            return False
        if operator == "NotIn" and key in labels and labels[key] in expression["values"]:
            return False
        if operator == "Exists" and key not in labels:
            return False
        if operator == "DoesNotExist" and key in labels:
            return False
    return True


def is_ordinary(world: World, end: End) -> bool:
    """Whether an end is a pod with an address of its own."""
    return end[0] == "pod" and not world.pod(end[1])["spec"].get("hostNetwork")


def is_host(world: World, end: End) -> bool:
    return end[0] == "node" or (
        end[0] == "pod" and bool(world.pod(end[1])["spec"].get("hostNetwork"))
    )


def node_of(world: World, end: End) -> str:
    return end[1] if end[0] == "node" else world.pod(end[1])["spec"]["nodeName"]


def addresses(world: World, end: End) -> list[str]:
    if end[0] == "ip":
        return [end[1]]
    if end[0] == "node":
        return [a["address"] for a in world.node(end[1])["status"]["addresses"]]
    return [one["ip"] for one in world.pod(end[1])["status"]["podIPs"]]


def in_cidr(address: str, cidr: str) -> bool:
    return ipaddress.ip_address(address) in ipaddress.ip_network(cidr, strict=False)


def of_family(world: World, end: End, family: int) -> list[str]:
    return [a for a in addresses(world, end) if ipaddress.ip_address(a).version == family]


def families(world: World, end: End) -> set[int]:
    return {ipaddress.ip_address(a).version for a in addresses(world, end)}
