"""Workloads whose pods were not made: nothing of them is there that could tell why."""

from sickbay.model.kubernetes import condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import TemplateSpec
from sickbay.model.workloads import DaemonSet, ReplicaSet, Workload


def lacks_pods(work: Workload) -> bool:
    """Whether a controller wants more pods than it has made."""
    status = work.status
    failure = condition_of(status.conditions, "ReplicaFailure")
    if failure and failure.is_true:
        return True
    if isinstance(work, DaemonSet):
        there = status.current_number_scheduled
        return there is not None and there < (status.desired_number_scheduled or 0)
    return status.replicas is not None and status.replicas < (work.spec.replicas or 0)


def speaks_for_itself(work: Workload, snapshot: Snapshot) -> bool:
    """Whether no set of pods stands below it that says the same more closely."""
    sets = snapshot.in_namespace(ReplicaSet, work.namespace)
    return not any(one.owner and one.owner.name == work.name for one in sets)


def asked_for(work: Workload) -> TemplateSpec:
    """The pods as they were to be."""
    return work.spec.template.spec if work.spec.template else TemplateSpec()
