"""Pods that nothing tells apart but their names: one of each kind stands for the others."""

from collections.abc import Iterable
from typing import Final

from sickbay.model.kubernetes import Pod
from sickbay.network.policy_ends import has_ended

# Labels by which a controller tells the pods that it made from one another.
_OF_ONE: Final = ("-hash", "pod-template-generation", "pod-name", "pod-index")


def one_of_each(pods: Iterable[Pod]) -> list[Pod]:
    """The first pod of each namespace and set of labels that has not ended, in order."""
    found: dict[tuple[str, frozenset[tuple[str, str]]], Pod] = {}
    for pod in pods:
        if has_ended(pod):
            continue
        labels = frozenset(item for item in pod.labels.items() if not item[0].endswith(_OF_ONE))
        known = found.get((pod.namespace, labels))
        if known is None or pod.name < known.name:
            found[pod.namespace, labels] = pod
    return sorted(found.values(), key=lambda pod: (pod.namespace, pod.name))
