"""Services that are only a name for another name: where the chain of names ends."""

from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.prefixes import parse
from sickbay.network.services_steps import blocks, cannot_tell, passes
from sickbay.network.traffic import Decider, Decision

_IN_CLUSTER: Final = (".svc.cluster.local", ".svc")


class Ending(NamedTuple):
    """Where a chain of names ends: at a service of the cluster, at a name outside, or nowhere."""

    steps: tuple[Decision, ...]
    service: Service | None = None
    name: str = ""


def follow(snapshot: Snapshot, service: Service) -> Ending:
    """Follow the names from an ExternalName service to the first thing that is not one."""
    steps: list[Decision] = []
    passed = {service.ref}
    while service.spec.type == "ExternalName":
        name = (service.spec.external_name or "").rstrip(".").casefold()
        if not name or parse(name):
            return Ending((*steps, blocks(_by(service, _why_no_name(name)))))
        steps.append(passes(_by(service, f"is a name for {name}")))
        place = _place(name)
        if place is None:
            return Ending(tuple(steps), name=name)
        ref = kube(Service.kind, *place)
        if ref in passed:
            says = f"is a name for {name}, which leads back to it: the names go round in a circle"
            return Ending((*steps, blocks(_by(service, says))))
        following = snapshot.find(ref)
        if not isinstance(following, Service):
            return Ending((*steps, _missing(snapshot, service, ref.namespace, name)))
        passed.add(ref)
        service = following
    return Ending(tuple(steps), service)


def _why_no_name(name: str) -> str:
    if not name:
        return "is a name for nothing: externalName is empty"
    return f"is a name for {name}, an address: DNS hands it out as a name, which nobody resolves"


def _place(name: str) -> tuple[str, str] | None:
    """The namespace and name of a service that a name in the cluster's own zone means."""
    for suffix in _IN_CLUSTER:
        if name.endswith(suffix):
            service, _, namespace = name.removesuffix(suffix).rpartition(".")
            # What stands before is the name of a pod of a headless service.
            return (namespace, service.rpartition(".")[2]) if service else None
    return None


def _missing(snapshot: Snapshot, service: Service, namespace: str, name: str) -> Decision:
    if snapshot.has_seen(Service.kind, namespace):
        return blocks(_by(service, f"is a name for {name}, a service that does not exist"))
    gap = Gap(Service.kind, f"the services of {namespace}", to_open=Service.look)
    return cannot_tell(_by(service, f"is a name for {name}, a service that was not read"), gap)


def _by(service: Service, says: str) -> Decider:
    return Decider(Service.kind, f"{service.namespace}/{service.name}", says, service.ref)
