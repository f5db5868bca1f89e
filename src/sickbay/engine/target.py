"""What a diagnosis is about.

The one cluster or appliance in evidence, else the group or file that holds it.
"""

from collections.abc import Iterable
from typing import Final

from sickbay.engine.kinship import Kinship
from sickbay.model.diagnosis import Cause, Target
from sickbay.model.ids import Ref, arm_part
from sickbay.model.snapshot import Snapshot

SCOPE: Final = "scope"
_MOST_THINGS: Final = 2_000
_PORTAL: Final = "https://portal.azure.com/#resource"
# What a user would call the patient, the most telling first.
PATIENTS: Final = (
    "microsoft.containerservice/managedclusters",
    "microsoft.hybridcontainerservice/provisionedclusters",
    "microsoft.hybridcontainerservice/provisionedclusterinstances",
    "microsoft.networkcloud/kubernetesclusters",
    "microsoft.kubernetes/connectedclusters",
    "microsoft.resourceconnector/appliances",
    "microsoft.networkcloud/clusters",
)


def target_of(snapshot: Snapshot, source: str) -> Target:
    """Say what the evidence is about: what was asked for, or the one patient that it holds."""
    asked = snapshot.targets
    if asked:
        shared = _shared_scope(asked) or _shared_subscription(asked) or source
        return _named(asked[0]) if len(asked) == 1 else Target(SCOPE, shared)
    patients = patients_in(snapshot)
    for kind in PATIENTS:
        of_kind = [ref for ref in patients if ref.kind.casefold() == kind]
        if len(of_kind) == 1:
            return _named(of_kind[0])
        if of_kind:
            return Target(SCOPE, _shared_scope(of_kind) or source)
    return Target("evidence", source)


def patients_in(snapshot: Snapshot) -> list[Ref]:
    """The clusters and appliances in evidence."""
    return sorted(ref for ref in snapshot.refs() if ref.kind.casefold() in PATIENTS)


def with_targets(causes: Iterable[Cause], target: Target, kinship: Kinship) -> list[Cause]:
    """Causes that say which of several targets each is about; one of many is about the scope."""
    if target.kind != SCOPE:
        return list(causes)
    snapshot = kinship.snapshot
    patients = frozenset(snapshot.targets or patients_in(snapshot))
    found: dict[Ref, Target] = {}
    named = []
    for cause in causes:
        subject = cause.subject
        if subject not in found:
            hit = hit_by(subject, patients, kinship) or _around_nodes(subject, patients, snapshot)
            found[subject] = _named(hit.pop()) if len(hit) == 1 else target
        named.append(cause._replace(target=found[subject]))
    return named


def hit_by(subject: Ref, patients: frozenset[Ref], kinship: Kinship) -> set[Ref]:
    """The targets that a thing belongs to; else those that stand on it, directly or over others."""
    above = patients & kinship.stands_on(subject)
    if above:
        return set(above)
    hit, edge, reached = set[Ref](), [subject], {subject}
    while edge and len(hit) < 2 and len(reached) < _MOST_THINGS:  # noqa: PLR2004 - several
        others = (one for ref in edge for one in kinship.snapshot.dependents(ref))
        edge = [one for one in dict.fromkeys(others) if one not in reached]
        reached.update(edge)
        hit.update(one for ref in edge for one in patients & kinship.stands_on(ref))
    return hit


def _around_nodes(subject: Ref, patients: frozenset[Ref], snapshot: Snapshot) -> set[Ref]:
    """The targets whose nodes are in the group of a thing."""
    groups = {one: str(getattr(snapshot.find(one), "node_group_id", "")) for one in patients}
    return {one for one, group in groups.items() if group and _is_in(subject, group.casefold())}


def _is_in(subject: Ref, group: str) -> bool:
    return subject.key == group or subject.key.startswith(f"{group}/")


def _named(ref: Ref) -> Target:
    return Target(ref.kind, ref.id, _PORTAL + ref.id)


def facts_of_target(target: Target, snapshot: Snapshot | None = None) -> dict[str, str]:
    """Names that remedies may use when nothing nearer tells them."""
    around = _around(snapshot)
    if not target.id.startswith("/subscriptions/"):
        return around
    entity = snapshot.find(Ref(target.kind, target.id)) if snapshot else None
    named = {
        "subscription": arm_part(target.id, "subscriptions"),
        "resource_group": arm_part(target.id, "resourcegroups"),
        "cluster": Ref("", target.id).name if "luster" in target.kind else "",
        "node_resource_group": str(getattr(entity, "node_resource_group", None) or ""),
        "location": str(getattr(entity, "location", None) or ""),
    }
    return around | {fact: name for fact, name in named.items() if name}


def _around(snapshot: Snapshot | None) -> dict[str, str]:
    if not snapshot:
        return {}
    from sickbay.engine.surroundings import facts_of_bridge  # noqa: PLC0415 - a text has none

    return facts_of_bridge(snapshot)


def _shared_scope(refs: Iterable[Ref]) -> str:
    """The group that holds all of some resources."""
    groups = {ref.key[: ref.key.find("/providers/")]: ref.id for ref in refs}
    return next(id[: len(group)] for group, id in groups.items()) if len(groups) == 1 else ""


def _shared_subscription(refs: Iterable[Ref]) -> str:
    subscriptions = {ref.subscription for ref in refs}
    return f"/subscriptions/{subscriptions.pop()}" if len(subscriptions) == 1 else ""
