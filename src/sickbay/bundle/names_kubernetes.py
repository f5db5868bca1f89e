"""Objects of Kubernetes that a text names, in all the wordings that programs have for them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sickbay.model.ids import Ref, kube
from sickbay.record import NamedTuple

_KINDS: Final = {
    "pod": "Pod",
    "node": "Node",
    "namespace": "Namespace",
    "deployment": "Deployment",
    "daemonset": "DaemonSet",
    "statefulset": "StatefulSet",
    "replicaset": "ReplicaSet",
    "job": "Job",
    "cronjob": "CronJob",
    "service": "Service",
    "svc": "Service",
    "ingress": "Ingress",
    "ingresse": "Ingress",
    "configmap": "ConfigMap",
    "secret": "Secret",
    "serviceaccount": "ServiceAccount",
    "networkpolicy": "NetworkPolicy",
    "persistentvolumeclaim": "PersistentVolumeClaim",
    "pvc": "PersistentVolumeClaim",
    "persistentvolume": "PersistentVolume",
    "pv": "PersistentVolume",
    "poddisruptionbudget": "PodDisruptionBudget",
    "pdb": "PodDisruptionBudget",
    "podname": "Pod",
    "nodename": "Node",
}
_CLUSTER_SCOPED: Final = frozenset({"Node", "Namespace", "PersistentVolume"})
_EDGES: Final = "\"'`()[]{}<>.,:;"
_QUOTES: Final = "\"'`"
# Patterns stay as text and are compiled when a text has what they look for.
_NAME: Final = r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?"
_SPACED: Final = rf"(?:({_NAME})/)?({_NAME})"
_WITH_UID: Final = rf"({_NAME})_({_NAME})(?:\([0-9a-f-]{{8,36}}\))?"
_AKS_NODE: Final = (
    r"\baks-[a-z0-9]{1,12}-[0-9a-z]{1,12}-vmss[0-9a-z]{6}(?![\w-])|\bakswin[0-9]{6}(?![\w-])"
)
_API_PATH: Final = (
    rf"/namespaces/({_NAME})/(?:(\w+)s/({_NAME}))?|/containerLogs/({_NAME})/({_NAME})/"
)
_FIELD: Final = r"(?<![\w.])([A-Za-z]{2,30})\"?[=:] ?\"([^\"\s]{1,253})\""


class Word(NamedTuple):
    """A word of a text with the quotes and stops around it, and without."""

    raw: str
    bare: str
    start: int


def split_words(text: str) -> list[Word]:
    """The words of a text."""
    return [
        Word(match[0], match[0].strip(_EDGES), match.start())
        for match in re.finditer(r"[^\s,;]+", text)
    ]


def objects(text: str, words: list[Word]) -> list[Ref]:
    """The objects that a text names, in the order in which it names them."""
    found = [*_worded(words), *_fielded(text), *_pathed(text)]
    if "aks" in text:
        found += ((m.start(), kube("Node", "", m[0])) for m in re.finditer(_AKS_NODE, text))
    return _in_one_namespace(ref for _, ref in sorted(found, key=lambda item: item[0]))


def _worded(words: list[Word]) -> Iterator[tuple[int, Ref]]:
    """Objects named in the usual wordings: `pods "x"`, `pod ns/x`, `Pod/x -n ns`, `kubelet, x`."""
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else Word("", "", 0)
        ref = _named_by_word(word, following) or _named_by_slash(word, words[at + 1 : at + 3])
        if ref:
            yield word.start, ref


def _named_by_word(word: Word, following: Word) -> Ref | None:
    before, equals, value = word.raw.strip(_EDGES).partition("=")
    if equals:
        kind = _kind(before.strip(_EDGES))
        return _object(kind, value.strip(_EDGES)) if kind else None
    name = following.bare
    if word.bare == "kubelet":
        return _object("Node", name) if _is_telling(name) else None
    is_quoted = following.raw[:1] in _QUOTES and following.raw[:1] != ""
    first, dot, _ = word.bare.partition(".")
    kind = _kind(first)
    if not kind and dot and is_quoted and re.fullmatch(r"[A-Z][A-Za-z]+\.[a-z0-9.-]+", word.bare):
        return _object(first, name)
    if not kind or not (is_quoted or _is_telling(name)):
        return None
    return _object(kind, name)


def _named_by_slash(word: Word, following: list[Word]) -> Ref | None:
    prefix, slash, name = word.bare.partition("/")
    kind = _kind(prefix.partition(".")[0]) if slash else ""
    if not kind or "/" in name:
        return None
    has_flag = len(following) > 1 and following[0].raw in ("-n", "--namespace")
    return _object(kind, f"{following[1].bare}/{name}" if has_flag else name)


def _kind(word: str) -> str:
    folded = word.casefold()
    return _KINDS.get(folded) or _KINDS.get(folded.removesuffix("(s").removesuffix("s"), "")


def _is_telling(name: str) -> bool:
    """Whether an unquoted word is a name for certain: prose has no digits behind dashes."""
    return "/" in name or ("-" in name and any(character.isdigit() for character in name))


def _object(kind: str, name: str) -> Ref | None:
    if kind == "Pod" and "_" in name:
        match = re.fullmatch(_WITH_UID, name + ")" if "(" in name else name)
        return kube(kind, match[2], match[1]) if match else None
    match = re.fullmatch(_SPACED, name)
    if not match:
        return None
    return kube(kind, "" if kind in _CLUSTER_SCOPED else match[1] or "", match[2])


def _fielded(text: str) -> Iterator[tuple[int, Ref]]:
    """What a structured log line says it works on: `pod="ns/x"`, `name="…" namespace="…"`."""
    fields: dict[str, tuple[int, str]] = {}
    for match in re.finditer(_FIELD, text):
        fields.setdefault(match[1].casefold(), (match.start(), match[2]))
        ref = _object(_KINDS.get(match[1].casefold(), ""), match[2])
        if ref and ref.kind:
            yield match.start(), ref
    if "name" in fields and "namespace" in fields:
        start, name = fields["name"]
        yield start, kube(_controlled_kind(text, fields), fields["namespace"][1], name)


def _controlled_kind(text: str, fields: Mapping[str, tuple[int, str]]) -> str:
    for key in ("controllerkind", "kind"):
        if key in fields:
            return fields[key][1]
    # Azure Service Operator names its loggers group_kind.
    logger = fields["logger"][1] if "logger" in fields else ""
    header = re.search(r"\] [a-z0-9]+_([a-z0-9]+) \"msg\"", text) if not logger else None
    kind = header[1] if header else logger.rpartition("_")[2]
    return kind[:1].upper() + kind[1:] or "Object"


def _pathed(text: str) -> Iterator[tuple[int, Ref]]:
    """Objects in the paths of API requests."""
    if "/namespaces/" not in text and "/containerLogs/" not in text:
        return
    for match in re.finditer(_API_PATH, text):
        namespace, plural, name, log_namespace, log_pod = match.groups()
        kind = _kind(plural or "")
        if log_pod:
            yield match.start(), kube("Pod", log_namespace, log_pod)
        elif kind and name:
            yield match.start(), kube(kind, namespace, name)


def _in_one_namespace(refs: Iterable[Ref]) -> list[Ref]:
    """Objects without their namespace get the one that the text names, if it names one only."""
    found = list(dict.fromkeys(refs))
    spaces = {ref.name if ref.kind == "Namespace" else ref.namespace for ref in found} - {""}
    only = spaces.pop() if len(spaces) == 1 else ""
    qualified = [
        kube(ref.kind, only, ref.name)
        if only and not ref.namespace and ref.kind not in _CLUSTER_SCOPED
        else ref
        for ref in found
    ]
    full = {(ref.kind, ref.name) for ref in qualified if ref.namespace}
    return [ref for ref in qualified if ref.namespace or (ref.kind, ref.name) not in full]
