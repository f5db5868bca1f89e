"""What came after a warning: the pod was placed, its image pulled, the node was ready or let go.

Events and rows of tables tell it, though no document of the thing itself may be in evidence.
"""

import re
from typing import Final

from sickbay.engine.ledger import Heard
from sickbay.model.evidence import Text
from sickbay.model.ids import Ref

# In a table without a column for it, the namespace is not told.
_UNTOLD: Final = "<namespace>"
_UNREADY: Final = "NodeNotReady: "
# Said as long as the pod lives, also where its images need no secret.
_UNAIDED: Final = "FailedToRetrieveImagePullSecret: "
_UP: Final = frozenset({"Pulled", "Started", "well"})
_GONE: Final = frozenset({"DeletingNode", "RemovingNode"})
_NOTED: Final = tuple(
    "Scheduled: |Pulled: |Started: |Killing: |ScaleDown: |NodeReady: |DeletingNode: |RemovingNode: "
    "|NodeNotReady: |BackOff: Back-off pulling".split("|")
)
_MOST: Final = 200_000
# What comes back so often is not over, although it went well once.
_OFTEN: Final = 5
_IMAGE: Final = r"image \"([^\"]{1,400})\""
_POOL: Final = r"(.+-vmss)[0-9a-z]{6}"
# A pod all of whose containers are up or done, and a node that is ready.
_ROWS: Final = {
    "Pod": r"\s(?:(\d+)/\1\s+Running\s+[0-4]|0/\d+\s+Completed\s+\d+)\b",
    "Node": r"\sReady(?:,SchedulingDisabled)?\s",
}
_YOUNG_ROW: Final = r"\s\d+/\d+\s+\S+\s+\d+\s+(?:\d{1,3}s|[2-9]m\w*)\b"
_TEMPLATE: Final = r"(.+?)(?:-[0-9a-f]{8,10})?-[0-9a-z]{5}"
# A warning, and the good news that takes it back.
_TAKEN_BACK: Final = (
    ("FailedMount: ", "Started"),
    ("FailedAttachVolume: ", "Started"),
    ("FailedCreatePodSandBox: ", "Started"),
    ("Unhealthy: ", "Killing"),
)
# A failed attempt of a controller, and its later success with the same thing.
_MENDED: Final = (
    ("SyncLoadBalancerFailed: ", "EnsuredLoadBalancer: "),
    ("CreatingLoadBalancerFailed: ", "EnsuredLoadBalancer: "),
    ("Issuing: Issuing certificate ", "Issuing: The certificate has been successfully issued"),
    ("PresentError: ", "Presented: "),
    ("ProvisioningFailed: ", "ProvisioningSucceeded: "),
)
_STEPS: Final = tuple({step for pair in _MENDED for step in pair})
_PULL: Final = ("Failed: ", "BackOff: Back-off pulling", "ErrImagePull: ", "ImagePullBackOff: ")

Key = tuple[str, str, str]


class Aftermath:
    """Remembers what was told of things until everything is heard."""

    def __init__(self) -> None:
        self._news: dict[Key, set[str]] = {}
        # Nodes that came, by their scale set; nodes that were lost; workloads with new pods.
        self._came: dict[str, set[str]] = {}
        self._lost: set[Ref] = set()
        self._renewed: set[str] = set()
        # When a step was last taken with a thing: by the time that is told, else in reading order.
        self._steps: dict[tuple[str, Ref | None, str], tuple[str, int]] = {}
        self._count = 0

    def note(self, text: Text) -> None:
        """Take note of a text, if it may take back what another says."""
        if text.channel == "event" and text.text.startswith(_STEPS):
            self._note_step(text)
        if text.about is None or len(self._news) >= _MOST:
            return
        if text.channel == "event":
            if text.text.startswith(_NOTED):
                self._note_event(text.about, text.text)
        elif text.about.kind in _ROWS:
            self._note_row(text.about, text.text)

    def is_overcome(self, heard: Heard) -> bool:
        """Whether what a text warned of went well after all."""
        about = heard.text.about
        if self._is_mended(heard.text):
            return True
        if about is None:
            return False
        if heard.text.channel == "table":
            return " Terminating " in heard.layer and _workload(about.name) in self._renewed
        return heard.text.channel == "event" and self._is_taken_back(about, heard)

    def _is_taken_back(self, about: Ref, heard: Heard) -> bool:
        said, news = heard.text.text, self._of(about)
        if said.startswith("PreemptScheduled: "):
            return self._is_replaced(about)
        if said.startswith("FailedScheduling: ") and news & {"Scheduled", "well"}:
            return True
        if said.startswith(_UNAIDED) and news & _UP and "BackOff" not in news:
            return True
        if heard.times >= _OFTEN:
            return False
        if said.startswith(_UNREADY):
            # Its pods repeat what happened to a node, and do not say which.
            lost = {about} if about.kind == "Node" else self._lost
            return bool(lost) and all(self._is_let_go(node) for node in lost)
        good = (good for bad, good in _TAKEN_BACK if said.startswith(bad))
        is_well = "well" in news and about.kind == "Pod"
        return is_well or not news.isdisjoint(good) or _is_pulled(said, news)

    def _is_mended(self, text: Text) -> bool:
        """Whether the same thing went well after the last attempt that failed."""
        if text.channel != "event":
            return False
        thing = text.origin.source, text.about
        for bad, good in _MENDED:
            failed = self._steps.get((*thing, bad))
            if failed is not None and text.text.startswith(bad):
                return self._steps.get((*thing, good), failed) > failed
        return False

    def _note_step(self, text: Text) -> None:
        if len(self._steps) >= _MOST:
            return
        step = next(step for step in _STEPS if text.text.startswith(step))
        thing = text.origin.source, text.about, step
        self._steps[thing] = max(self._steps.get(thing, ("", 0)), (text.at, self._count))
        self._count += 1

    def _note_event(self, about: Ref, said: str) -> None:
        reason = said.partition(":")[0]
        if reason == "NodeNotReady":
            if about.kind == "Node":
                self._lost.add(about)
            return
        news = self._news.setdefault(_key(about), set())
        news.add(reason)
        if reason == "Pulled" and (image := re.search(_IMAGE, said)):
            news.add(image[1])
        if reason == "NodeReady" and (pool := re.fullmatch(_POOL, about.name)):
            self._came.setdefault(pool[1], set()).add(about.name)

    def _note_row(self, about: Ref, row: str) -> None:
        if re.search(_ROWS[about.kind], row):
            self._news.setdefault(_key(about), set()).add("well")
        if about.kind == "Pod" and " Terminating " not in row and re.search(_YOUNG_ROW, row):
            self._renewed.add(_workload(about.name))

    def _is_let_go(self, node: Ref) -> bool:
        """Whether a node is back, or was taken away and needs not come back."""
        news = self._of(node)
        is_gone = not news.isdisjoint(_GONE) and self._is_replaced(node)
        return "well" in news or "ScaleDown" in news or is_gone

    def _is_replaced(self, node: Ref) -> bool:
        pool = re.fullmatch(_POOL, node.name)
        return pool is not None and bool(self._came.get(pool[1], set()) - {node.name})

    def _of(self, about: Ref) -> set[str]:
        kind, namespace, name = _key(about)
        told = self._news.get((kind, namespace, name), set())
        return told | self._news.get((kind, _UNTOLD, name), set())


def _key(about: Ref) -> Key:
    return about.kind, about.namespace, about.name


def _workload(pod: str) -> str:
    """The name that the pods of a workload share."""
    found = re.fullmatch(_TEMPLATE, pod)
    return found[1] if found else pod


def _is_pulled(said: str, news: set[str]) -> bool:
    """Whether an image that could not be pulled at first was pulled later."""
    if not said.startswith(_PULL):
        return False
    image = re.search(_IMAGE, said)
    return image[1] in news if image else "Pulled" in news
