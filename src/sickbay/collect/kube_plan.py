"""What a run over a cluster would read, told without asking the cluster."""

from sickbay.collect.kube_kinds import NAMES_ONLY, TABLE
from sickbay.collect.kubeconfig import Access
from sickbay.collect.probe_pod import Wish
from sickbay.collect.source import Look


def looks(access: Access, namespace: str, wish: Wish | None) -> tuple[Look, ...]:
    """Every list, and the logs that a first look may ask for."""
    where = f"namespace {namespace}" if namespace else "all namespaces"
    lists = [
        Look(
            "kubernetes",
            f"{resource}.{group}" if group else resource,
            f"names only, {where}" if kind in NAMES_ONLY else where,
            "list",
        )
        for group, resource, kind in TABLE
    ]
    others = (
        Look("kubernetes", "*.azure.com", "every kind of Azure Service Operator", "list"),
        Look("kubernetes", "pods/log", "of containers that a first look suspects", "get"),
        Look("kubernetes", "nodes/proxy", "logs of nodes that are not well", "get"),
    )
    inside = []
    if wish is not None:
        place = f"namespace {wish.namespace}, node {wish.node or 'any'}, image {wish.image}"
        inside = [Look("probe", "a short-lived pod", place, "create, delete")]
    return (Look("kubernetes", "server", access.cluster.server), *lists, *others, *inside)
