"""Who may feel the fault of a thing that it does not stand on: whoever calls it, or names it."""

import re
from collections.abc import Sequence
from typing import Final

from sickbay.engine.findings import Finding
from sickbay.engine.kinship import namespace_of
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot

_MOST_SUBJECTS: Final = 40
# Kinds whose names are not words of everyday texts.
_TELLING_NAMES: Final = frozenset({"Pod", "Node", "PersistentVolumeClaim", "PersistentVolume"})
_SHORTEST_NAME: Final = 6
# A service by its name, which tells its namespace.
_IN_CLUSTER: Final = r"[a-z0-9-]+\.([a-z0-9-]+)\.svc(?:\.cluster\.local\.?)?"
# Where the logs lie that were collected, by namespace and pod.
_COLLECTED: Final = "kubernetes/pods/logs/"
# What a finding is about when its text speaks of somebody else, or does not say of whom.
_OF_OTHERS: Final = ("host", "text")


class Callers:
    """Knows which pods complained of which service.

    Nothing that is written down says who calls a service. Who is in its namespace and complains of
    a connection may well mean it; others must name it, by its name or its address.
    """

    def __init__(self, snapshot: Snapshot, findings: Sequence[Finding]) -> None:
        self._snapshot = snapshot
        self._complaints = [
            (_said(one), _sources(one)) for one in findings if _speaks_of_others(one)
        ]

    def are_called(self, cause: Finding, effect: Finding) -> bool:
        """Whether a fault of a service may be what a pod suffers from."""
        services = [one for one in cause.subjects[:_MOST_SUBJECTS] if one.kind == "Service"]
        pods = [one for one in effect.subjects[:_MOST_SUBJECTS] if one.kind == "Pod"]
        if not services or not pods:
            return False
        return any(self._is_missed(one, pods, _said(effect)) for one in services)

    def _is_missed(self, service: Ref, pods: Sequence[Ref], end: str) -> bool:
        """Whether one of some pods complains of a service, in its log or with how it ended."""
        complaints = [
            said
            for said, sources in self._complaints
            if any(_is_log_of(pod, source) for pod in pods for source in sources)
        ]
        is_beside = any(namespace_of(pod) == service.namespace for pod in pods)
        spec = getattr(self._snapshot.find(service), "spec", None)
        names = [f"{service.name}.{service.namespace}", str(getattr(spec, "cluster_ip", "") or "")]
        names += [service.name] if is_beside else []
        return bool(is_beside and complaints) or any(
            _has_word(said, name) for said in (end, *complaints) for name in names if name
        )


def says_of_others(cause: Finding, effect: Finding) -> bool:
    """Whether an effect is what the pod with the fault itself complains of, about a host.

    That a pod ends may be felt by those who call it, and is not why it cannot call others.
    """
    pods = [one.name for one in cause.subjects if one.kind == "Pod"]
    is_of_network = [one.rule.startswith("network.") for one in (cause, effect)]
    is_about_others = is_of_network == [False, True] and _speaks_of_others(effect)
    if not is_about_others or len(pods) != len(cause.subjects):
        return False
    sources = _sources(effect)
    return bool(sources) and all(any(pod in source for pod in pods) for source in sources)


def complains_itself(end: Finding, complaint: Finding) -> bool:
    """Whether who ended complains, in the same paste, of a connection that it wanted.

    Of who calls it, others speak; so what it says of a connection is rather why it ended.
    """
    is_of_network = [one.rule.startswith("network.") for one in (end, complaint)]
    if is_of_network != [False, True] or _sources(end) != _sources(complaint):
        return False
    # Of one message the other tells how it arrived.
    if end.records.keys() & complaint.records.keys():
        return False
    if complaint.subject.kind == "Pod":
        return complaint.subjects == end.subjects
    return complaint.subject.kind in _OF_OTHERS and end.subject.kind in _OF_OTHERS


def is_named_in(cause: Finding, effect: Finding) -> bool:
    """Whether what is said of an effect names the thing that has the fault."""
    # Names are given anew in each namespace.
    places = {namespace_of(one) for one in effect.subjects} | {""}
    is_placed = len(places) > 1
    names = {
        one.name
        for one in cause.subjects[:_MOST_SUBJECTS]
        if one.kind in _TELLING_NAMES and (not is_placed or namespace_of(one) in places)
    }
    said = _said(effect)
    return any(_has_word(said, name) for name in names if len(name) >= _SHORTEST_NAME)


def is_elsewhere(cause: Finding, effect: Finding) -> bool:
    """Whether somebody complains of a service of one namespace, and a workload of another is ill.

    A fault of the network may lie with the caller; that a pod does not run is felt by those who
    call it.
    """
    host = effect.subject.name if effect.subject.kind == "host" else ""
    called = re.fullmatch(_IN_CLUSTER, host)
    if called is None or not cause.rule.startswith("kubernetes."):
        return False
    places = {namespace_of(one) for one in cause.subjects}
    is_shared = any(place.endswith("-system") for place in places)
    return bool(places) and not is_shared and not places & {"", called[1]}


def _speaks_of_others(finding: Finding) -> bool:
    """Whether it is a complaint about a host, also one that the log of a pod leaves unnamed."""
    subject = finding.subject
    if subject.kind != "Pod":
        return subject.kind in _OF_OTHERS
    is_of_network = finding.rule.startswith("network.")
    return is_of_network and all(_is_own_log(subject, one) for one in _sources(finding))


def _is_own_log(pod: Ref, source: str) -> bool:
    """Whether a file holds what a pod wrote, and not what is written of it (its events)."""
    return "log" in source and _is_log_of(pod, source)


def _is_log_of(pod: Ref, source: str) -> bool:
    """Whether a file is called by a pod, or by the workload that the pod is called by."""
    _, is_collected, place = source.partition(_COLLECTED)
    if is_collected:
        # Pods of one name are in many namespaces.
        return place.startswith(f"{namespace_of(pod)}/{pod.name}/")
    workload = pod.name.rsplit("-", 2)[0]
    return pod.name in source or workload in source.rpartition("/")[2]


def _has_word(said: str, word: str) -> bool:
    return word in said and bool(re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", said))


def _said(finding: Finding) -> str:
    return " ".join((finding.subject.name, finding.says, *(one.text for one in finding.evidence)))


def _sources(finding: Finding) -> frozenset[str]:
    return frozenset(one.origin.source for one in finding.evidence)
