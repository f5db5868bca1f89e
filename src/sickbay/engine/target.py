"""What a diagnosis is about.

The one cluster or appliance in evidence, else the group or file that holds it.
"""

from typing import Final

from sickbay.model.diagnosis import Target
from sickbay.model.ids import Ref, arm_part
from sickbay.model.snapshot import Snapshot

_PORTAL: Final = "https://portal.azure.com/#resource"
# What a user would call the patient, the most telling first.
_PATIENTS: Final = (
    "microsoft.containerservice/managedclusters",
    "microsoft.hybridcontainerservice/provisionedclusters",
    "microsoft.hybridcontainerservice/provisionedclusterinstances",
    "microsoft.networkcloud/kubernetesclusters",
    "microsoft.kubernetes/connectedclusters",
    "microsoft.resourceconnector/appliances",
    "microsoft.networkcloud/clusters",
)


def target_of(snapshot: Snapshot, source: str) -> Target:
    """Say what the evidence is about."""
    patients = sorted(ref for ref in snapshot.refs() if ref.kind.casefold() in _PATIENTS)
    for kind in _PATIENTS:
        of_kind = [ref for ref in patients if ref.kind.casefold() == kind]
        if len(of_kind) == 1:
            return Target(of_kind[0].kind, of_kind[0].id, _PORTAL + of_kind[0].id)
        if of_kind:
            return Target("scope", _shared_scope(of_kind) or source)
    return Target("evidence", source)


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


def _shared_scope(refs: list[Ref]) -> str:
    groups = {ref.id[: ref.key.find("/providers/")] for ref in refs}
    return groups.pop() if len(groups) == 1 else ""
