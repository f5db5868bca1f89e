"""What the columns of `kubectl get` tell: which kind its rows are, and where a cell begins."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

UNTOLD_NAMESPACE: Final = "<namespace>"
CLUSTER_SCOPED: Final = frozenset({"Node", "PersistentVolume", "StorageClass", "Namespace"})
KINDS: Final = {
    "Pod": "po pod pods",
    "Node": "no node nodes",
    "Deployment": "deploy deployment deployments",
    "ReplicaSet": "rs replicaset replicasets",
    "StatefulSet": "sts statefulset statefulsets",
    "DaemonSet": "ds daemonset daemonsets",
    "Job": "job jobs",
    "CronJob": "cj cronjob cronjobs",
    "Service": "svc service services",
    "Endpoints": "ep endpoint endpoints",
    "EndpointSlice": "endpointslice endpointslices",
    "PersistentVolumeClaim": "pvc persistentvolumeclaim persistentvolumeclaims",
    "PersistentVolume": "pv persistentvolume persistentvolumes",
    "StorageClass": "sc storageclass storageclasses",
    "PodDisruptionBudget": "pdb poddisruptionbudget poddisruptionbudgets",
    "HorizontalPodAutoscaler": "hpa horizontalpodautoscaler horizontalpodautoscalers",
    "Ingress": "ing ingress ingresses",
    "Namespace": "ns namespace namespaces",
    "ConfigMap": "cm configmap configmaps",
    "Secret": "secret secrets",
    "Event": "ev event events",
}
_BY_WORD: Final = {word: kind for kind, words in KINDS.items() for word in words.split()}
# Names of columns that hold a space.
_TWO_WORDS: Final = (
    "LAST SEEN|FIRST SEEN|NOMINATED NODE|READINESS GATES|NODE SELECTOR|ACCESS MODES|RECLAIM POLICY"
    "|MIN AVAILABLE|MAX UNAVAILABLE|ALLOWED DISRUPTIONS|LAST SCHEDULE|LABEL SELECTOR|POD ID"
)
_COLUMN: Final = rf"(?:{_TWO_WORDS}|[A-Z][A-Z0-9_./%-]*(?:\([A-Za-z]+\))?)(?=\s|$)"
_HEADER: Final = rf"(?:NAMESPACE|NAME|LAST SEEN)(?:[ \t]+{_COLUMN}){{1,30}}[ \t]*"
_LONGEST_HEADER: Final = 1_000


class Family(NamedTuple):
    """Rows of one kind: the columns that only they have, and a cell that proves a row."""

    kind: str
    needs: frozenset[str]
    column: str
    proof: str
    # The whole header, for kinds whose columns others have too.
    only: bool = False


_COUNT: Final = r"\d+"
_RATIO: Final = r"\d+/\d+"
_ANY: Final = r"\S.*"


def _family(kind: str, columns: str, column: str, proof: str, *, only: bool = False) -> Family:
    return Family(kind, frozenset(columns.split("|")), column, proof, only)


# Most telling first.
FAMILIES: Final = (
    _family("Event", "TYPE|REASON|OBJECT|MESSAGE", "TYPE", r"Normal|Warning"),
    _family("Event", "COUNT|KIND|TYPE|REASON|MESSAGE", "TYPE", r"Normal|Warning"),
    _family("Pod", "NAME|READY|STATUS|RESTARTS", "READY", _RATIO),
    _family("Node", "NAME|STATUS|ROLES|VERSION", "STATUS", r"(?:Not)?Ready\S*|Unknown\S*"),
    _family("aso", "NAME|READY|SEVERITY|REASON|MESSAGE", "READY", r"True|False|Unknown|"),
    _family("DaemonSet", "NAME|DESIRED|READY|NODE SELECTOR", "DESIRED", _COUNT),
    _family("Deployment", "NAME|READY|UP-TO-DATE|AVAILABLE", "READY", _RATIO),
    _family("Deployment", "NAME|DESIRED|UP-TO-DATE|AVAILABLE", "DESIRED", _COUNT),
    _family("ReplicaSet", "NAME|DESIRED|CURRENT|READY", "DESIRED", _COUNT),
    _family("Job", "NAME|COMPLETIONS|DURATION", "COMPLETIONS", r"\d+/\d+.*"),
    _family("CronJob", "NAME|SCHEDULE|SUSPEND|ACTIVE", "SUSPEND", r"True|False"),
    _family("Service", "NAME|TYPE|CLUSTER-IP|PORT(S)", "TYPE", r"[A-Z]\w+"),
    _family("EndpointSlice", "NAME|ADDRESSTYPE|PORTS|ENDPOINTS", "ADDRESSTYPE", r"IPv[46]|FQDN"),
    _family("PersistentVolumeClaim", "NAME|STATUS|VOLUME|STORAGECLASS", "STATUS", r"[A-Z]\w+"),
    _family("PersistentVolume", "NAME|CAPACITY|STATUS|CLAIM", "STATUS", r"[A-Z]\w+"),
    _family("StorageClass", "NAME|PROVISIONER", "PROVISIONER", r"[\w.-]+(?:/\S+)?"),
    _family("PodDisruptionBudget", "NAME|ALLOWED DISRUPTIONS", "ALLOWED DISRUPTIONS", _COUNT),
    _family("HorizontalPodAutoscaler", "NAME|REFERENCE|MINPODS|MAXPODS", "REFERENCE", r"\w+/\S+"),
    _family("Ingress", "NAME|HOSTS|PORTS", "HOSTS", _ANY),
    _family("top", "NAME|CPU(cores)|MEMORY(bytes)", "CPU(cores)", r"\d+m?|<unknown>"),
    _family("Endpoints", "NAME|ENDPOINTS|AGE", "ENDPOINTS", _ANY, only=True),
    _family("StatefulSet", "NAME|READY|AGE", "READY", _RATIO, only=True),
    _family("Namespace", "NAME|STATUS|AGE", "STATUS", r"Active|Terminating", only=True),
    _family("ConfigMap", "NAME|DATA|AGE", "DATA", _COUNT, only=True),
)
_EXTRA: Final = frozenset({"NAMESPACE", "LABELS", "CONTAINERS", "IMAGES"})


class Header(NamedTuple):
    """The columns of a table, in order, and where each begins."""

    family: Family
    columns: tuple[str, ...]
    starts: tuple[int, ...]


@lru_cache(maxsize=64)
def header_of(line: str) -> Header | None:
    """The header that a line is, if its rows are of a kind that is known."""
    if not line.startswith(("NAME", "LAST SEEN")) or len(line) > _LONGEST_HEADER:
        return None
    if not re.fullmatch(_HEADER, line):
        return None
    found = list(re.finditer(_COLUMN, line))
    columns = tuple(column[0] for column in found)
    family = _family_of(frozenset(columns))
    if family is None or len(set(columns)) != len(columns):
        return None
    return Header(family, columns, tuple(column.start() for column in found))


def cells_of(row: str, header: Header) -> dict[str, str] | None:
    """The cells of a row by their columns, or None if it is no row of this table."""
    for split in (_by_place, _by_gaps, _by_words):
        cells = split(row.rstrip(), header)
        if cells is not None and _is_proven(cells, header.family):
            return cells
    return None


def kind_called(word: str) -> str:
    """The kind that kubectl knows by a word (`po`, `pods.v1`, `deployment.apps`), or nothing."""
    return _BY_WORD.get(word.partition(".")[0].casefold(), "")


def _family_of(columns: frozenset[str]) -> Family | None:
    for family in FAMILIES:
        if family.needs <= columns and not (family.only and columns - family.needs - _EXTRA):
            return family
    return None


def _is_proven(cells: dict[str, str], family: Family) -> bool:
    name = cells.get("NAME", "")
    is_named = re.fullmatch(r"[A-Za-z0-9][\w.:/-]*(?: \(default\))?", name) or "OBJECT" in cells
    return bool(is_named) and bool(re.fullmatch(family.proof, cells[family.column]))


def _by_place(row: str, header: Header) -> dict[str, str] | None:
    """Cells below the names of their columns; some can be empty."""
    cells = {}
    ends = (*header.starts[1:], len(row))
    for column, start, end in zip(header.columns, header.starts, ends, strict=True):
        cell = row[start:end]
        is_apart = start == 0 or row[start - 1 : start] in ("", " ")
        if not is_apart or (cell.strip() and cell[0] == " "):
            return None
        cells[column] = cell.strip()
    return cells


def _by_gaps(row: str, header: Header) -> dict[str, str] | None:
    """Cells with two blanks or more between them; none is empty."""
    cells = re.split(r" {2,}|\t+", row, maxsplit=len(header.columns) - 1)
    return _named(cells, header)


def _by_words(row: str, header: Header) -> dict[str, str] | None:
    """Cells with one blank between them, as texts look that lost their layout."""
    whole = re.sub(r"(?<=[\ddhmsy]) \((?=[^()\s]{1,20} ago\)|x\d)", "\x01(", row)
    whole = re.sub(r"(?<=\x01)\(([^()]{1,40})\)", lambda m: f"({m[1]})".replace(" ", "\x01"), whole)
    cells = whole.split(None, len(header.columns) - 1)
    return _named([cell.replace("\x01", " ") for cell in cells], header)


def _named(cells: list[str], header: Header) -> dict[str, str] | None:
    if len(cells) != len(header.columns):
        return None
    return {c: cell.strip() for c, cell in zip(header.columns, cells, strict=True)}
