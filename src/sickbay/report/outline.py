"""The order of a report: which causes get a block, what is folded into them, what to do first."""

from collections.abc import Iterable
from typing import Any, Final

from sickbay.model.ids import arm_part
from sickbay.record import NamedTuple
from sickbay.report.columns import shorten
from sickbay.report.labels import listed, name, noun, span
from sickbay.report.shell import quote

Document = dict[str, Any]

_LONGEST_NAME: Final = 60
# What tells most about a cluster of which nothing is known yet.
_TO_COLLECT: Final = (
    "kubectl get nodes,pods,events -A -o json > cluster.json",
    "az aks show -g {group} -n {cluster} -o json > aks.json",
    "az monitor activity-log list -g {group} --offset 1d -o json > activity.json",
    "sickbay diagnose --from .",
)


class Entry(NamedTuple):
    """A cause, or a symptom that stands in for one together with what could be behind it."""

    cause: Document
    could_be: tuple[Document, ...] = ()

    @property
    def stands_in(self) -> bool:
        return bool(self.cause.get("stands_in"))


class Outline(NamedTuple):
    entries: tuple[Entry, ...]
    # What is only worth knowing.
    notes: tuple[Document, ...]

    @property
    def is_proven(self) -> bool:
        """Whether nothing that was left unread could take an answer back."""
        return all(entry.cause["certainty"] == "proven" for entry in self.entries)


def outline(data: Document) -> Outline:
    """Order the causes of a diagnosis; candidates go to the symptom that they would explain."""
    causes = data["causes"]
    notes = tuple(cause for cause in causes if cause["severity"] == "info")
    grave = [cause for cause in causes if cause["severity"] != "info"]
    symptoms = [cause for cause in grave if cause.get("stands_in")]
    behind: dict[int, list[Document]] = {}
    for cause in grave:
        if symptoms and _is_candidate(cause):
            behind.setdefault(id(_symptom_of(cause, symptoms)), []).append(cause)
    entries = tuple(
        Entry(cause, tuple(behind.get(id(cause), ())))
        for cause in grave
        if not (symptoms and _is_candidate(cause))
    )
    return Outline(entries, notes)


def first_step(cause: Document) -> Document | None:
    """The first step that is more than a look; a later one may not be taken before it."""
    return next((step for step in cause["remedy"] if step["risk"] != "read"), None)


def extent(cause: Document) -> str:
    """How many things have it, and when it was seen."""
    also = cause.get("also") or []
    parts = []
    every = [cause["subject"], *also]
    every = [subject for subject in every if subject["kind"] != "text"] or every
    if len(every) > 1:
        kinds = {noun(subject["kind"]) for subject in every}
        what = f"{kinds.pop()}s" if len(kinds) == 1 else "things"
        names = listed(shorten(name(subject), _LONGEST_NAME) for subject in every)
        parts.append(f"{len(every)} {what}: {names}")
    if cause["count"] > max(len(every), 1):
        parts.append(f"seen {cause['count']} times")
    when = span(cause.get("first_seen") or "", cause.get("last_seen") or "")
    return "; ".join([*parts, when] if when else parts)


def explained(entries: Iterable[Entry]) -> int:
    """How many symptoms the causes explain, each counted once."""
    return len(
        {
            (effect["rule"], effect["subject"].get("id"))
            for entry in entries
            for effect in entry.cause["explains"]
        }
    )


def times_of(data: Document) -> dict[tuple[str, str], str]:
    """When each thing that was said was said first, by subject and sentence."""
    first: dict[tuple[str, str], str] = {}
    for one in data["timeline"]:
        key = (str(one["subject"].get("id", "")), one["says"])
        first[key] = min(first.get(key, one["at"]), one["at"])
    return first


def to_collect(data: Document) -> list[str]:
    """The commands that would tell more, with the names of the target where they are known."""
    target = str(data["target"]["id"])
    group = quote(arm_part(target, "resourcegroups") or "<resource-group>")
    cluster = quote(arm_part(target, "managedclusters") or "<cluster>")
    return [step.format(group=group, cluster=cluster) for step in _TO_COLLECT]


def _is_candidate(cause: Document) -> bool:
    return cause["certainty"] == "possible" and not cause.get("stands_in")


def _symptom_of(candidate: Document, symptoms: list[Document]) -> Document:
    return next(
        (
            symptom
            for symptom in symptoms
            if symptom["subject"] == candidate["subject"]
            and candidate["says"].endswith(symptom["says"])
        ),
        symptoms[0],
    )
