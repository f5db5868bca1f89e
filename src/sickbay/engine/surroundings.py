"""The names around a subject that its own id does not hold, as the documents in evidence give them.

What runs a pod, the files that a resource bridge is deployed from: a remedy wants to name them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from sickbay.engine.findings import Finding
from sickbay.model.ids import Ref, kube
from sickbay.model.snapshot import Snapshot

if TYPE_CHECKING:
    from sickbay.model.entity import Entity

# What `kubectl set` and `kubectl rollout` can change.
_WORKLOADS: Final = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
# The three files of a bridge, by the ending of their names.
_FILES: Final = {
    "infra": "ApplianceInfra",
    "appliance": "ApplianceSettings",
    "resource": "ApplianceTarget",
}
# What `az arcappliance` calls the private cloud, by the first word of its settings.
_FABRICS: Final = {
    "vsphere": "vmware",
    "vmware": "vmware",
    "azurestackhci": "hci",
    "hci": "hci",
    "scvmm": "scvmm",
}


def with_names(findings: Iterable[Finding], snapshot: Snapshot) -> list[Finding]:
    """Findings that also know the names around their subjects."""
    known: dict[Ref, dict[str, str]] = {}
    named = []
    for finding in findings:
        subject = finding.subject
        if subject not in known:
            known[subject] = facts_around(subject, snapshot)
        facts = known[subject]
        named.append(finding._replace(facts={**facts, **finding.facts}) if facts else finding)
    return named


def facts_around(subject: Ref, snapshot: Snapshot) -> dict[str, str]:
    """The names around one subject."""
    entity = snapshot.find(subject)
    if subject.kind in _WORKLOADS:
        return {"workload": f"{subject.kind.lower()}/{subject.name}"}
    if subject.kind == "Pod":
        return _around_pod(entity)
    if subject.kind in _FILES.values():
        return _of_bridge(subject.name, snapshot)
    return _given({"pool": _word(entity, "pool")}) if subject.kind == "Node" else {}


def facts_of_bridge(snapshot: Snapshot) -> dict[str, str]:
    """The names of the resource bridge whose files are in evidence, if it is the only one."""
    names = {ref.name for ref in snapshot.refs() if ref.kind in _FILES.values()}
    return _of_bridge(names.pop(), snapshot) if len(names) == 1 else {}


def _around_pod(pod: "Entity | None") -> dict[str, str]:
    facts = {"node": _word(getattr(pod, "spec", None), "node_name")}
    workload = getattr(pod, "workload", None)
    if isinstance(workload, Ref) and workload.kind in _WORKLOADS:
        facts["workload"] = f"{workload.kind.lower()}/{workload.name}"
    return _given(facts)


def _of_bridge(name: str, snapshot: Snapshot) -> dict[str, str]:
    refs = {ending: kube(kind, "", name) for ending, kind in _FILES.items()}
    infra, settings, resource = (snapshot.find(ref) for ref in refs.values())
    files = {
        f"{ending}_file": snapshot.origin(ref).source.replace("\\", "/").rpartition("/")[2]
        for ending, ref in refs.items()
        if snapshot.find(ref)
    }
    return _given(
        {
            **files,
            "fabric": _FABRICS.get(_word(infra, "provider"), ""),
            "control_plane_ip": _word(settings, "control_plane") or _word(infra, "control_plane"),
            "subscription": _word(resource, "subscription"),
            "resource_group": _word(resource, "resource_group"),
            "location": _word(resource, "location"),
        }
    )


def _word(entity: object, field: str) -> str:
    return str(getattr(entity, field, None) or "")


def _given(facts: dict[str, str]) -> dict[str, str]:
    return {fact: value for fact, value in facts.items() if value}
