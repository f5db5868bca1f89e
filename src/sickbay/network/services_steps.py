"""The steps from a service to its pods: what each finds, and whether the way ends there."""

from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_backends import Backend, Holding, counts_as_ready
from sickbay.network.services_pods import (
    elsewhere,
    has_status,
    meant_workload,
    named,
    nearest,
    spelled_labels,
    why_not_ready,
)
from sickbay.network.services_ports import Target
from sickbay.network.traffic import Decider, Decision, Verdict

_MOST_NAMED: Final = 3


class View(NamedTuple):
    """One way through a service, with all that is known of it."""

    snapshot: Snapshot
    service: Service
    port: int | str | None
    protocol: str
    target: Target | None
    pods: tuple[Pod, ...]
    ready_pods: tuple[Pod, ...]
    published: Holding | None
    backends: tuple[Backend, ...]

    @property
    def name(self) -> str:
        return f"{self.service.namespace}/{self.service.name}"

    @property
    def is_answered(self) -> bool:
        """Whether something is known to stand behind it and to be ready."""
        return any(backend.ready for backend in self.backends)

    @property
    def has_seen_pods(self) -> bool:
        return self.snapshot.has_seen(Pod.kind, self.service.namespace)

    def by_service(self, says: str) -> Decider:
        return Decider(Service.kind, self.name, says, self.service.ref)

    def by_published(self, found: Holding, says: str) -> Decider:
        return Decider(found.kind, found.name, says)


def passes(decider: Decider, *gaps: Gap) -> Decision:
    return Decision(Verdict.ALLOWED, (decider,), (decider,), gaps)


def blocks(*deciders: Decider, gaps: tuple[Gap, ...] = ()) -> Decision:
    return Decision(Verdict.BLOCKED, deciders, deciders, gaps)


def cannot_tell(decider: Decider, gap: Gap) -> Decision:
    return Decision(Verdict.UNKNOWN, (decider,), (decider,), (gap,))


def of_type(view: View) -> Decision:
    spec = view.service.spec
    if spec.is_headless:
        return passes(view.by_service("is headless: its name stands for the addresses of its pods"))
    address = ", ".join(spec.cluster_ips or ()) or spec.cluster_ip
    at = f" at {address}" if address else ""
    affinity = ", and keeps a client on one pod" if spec.session_affinity == "ClientIP" else ""
    return passes(view.by_service(f"is of type {spec.type or 'ClusterIP'}{at}{affinity}"))


def of_selector(view: View) -> Decision:
    selector = view.service.spec.selector
    if not selector:
        return passes(view.by_service("has no selector: its endpoints are written by others"))
    wanted = spelled_labels(selector)
    if view.pods:
        return passes(view.by_service(f"selects {_counted(len(view.pods), 'pod')} by {wanted}"))
    nobody = view.by_service(f"selects {wanted}, which no pod in evidence has")
    if view.is_answered:
        return passes(nobody)
    if not view.has_seen_pods:
        gap = _pods_gap(view)
        is_empty = view.published is not None and view.published.is_whole
        return passes(nobody, gap) if is_empty else cannot_tell(nobody, gap)
    return blocks(_why_none(view, wanted))


def _why_none(view: View, wanted: str) -> Decider:
    workload = meant_workload(view.snapshot, view.service)
    if workload is not None:
        replicas = workload.spec.replicas
        is_none = "is scaled to 0" if replicas == 0 else "has no pod"
        says = f"{is_none}, so that nothing has the labels {wanted} that the service selects"
        return Decider(workload.kind, f"{workload.namespace}/{workload.name}", says, workload.ref)
    namespace = view.service.namespace
    near = nearest(view.snapshot, view.service)
    if near is not None:
        others = f" and {near.pods - 1} more have" if near.pods > 1 else " has"
        says = f"selects {wanted}, which no pod has; {near.pod}{others} {near.differing}"
        return view.by_service(says)
    other = elsewhere(view.snapshot, view.service)
    if other:
        says = f"selects {wanted}, which no pod in {namespace} has; pods in {other} do"
        return view.by_service(says)
    count = len(view.snapshot.in_namespace(Pod, namespace))
    return view.by_service(f"selects {wanted}, which none of {count} pods in {namespace} has")


def of_readiness(view: View) -> Decision | None:
    if not view.pods:
        return None
    ready, count = view.ready_pods, _counted(len(view.pods), "pod")
    if ready:
        rest = tuple(pod for pod in view.pods if not counts_as_ready(pod, view.service))
        but = f"; not {named(rest)}: {why_not_ready(rest[0])}" if rest else ""
        untold = tuple(pod for pod in ready if not has_status(pod))
        if untold:
            says = f"selects {named(untold)}, of which only the manifest is in evidence"
            what = f"how pod {untold[0].namespace}/{untold[0].name} fares"
            look = f"kubectl get pods -n {view.service.namespace} -o json"
            return passes(view.by_service(says), Gap(Pod.kind, what, to_open=look))
        return passes(view.by_service(f"has {len(ready)} of {count} ready{but}"))
    if view.is_answered:
        return passes(view.by_service(f"has none of {count} ready, and one is published as such"))
    deciders = tuple(
        Decider(
            Pod.kind, f"{pod.namespace}/{pod.name}", f"is not ready: {why_not_ready(pod)}", pod.ref
        )
        for pod in view.pods[:_MOST_NAMED]
    )
    is_known = view.published is not None and view.published.is_whole
    if not view.has_seen_pods and not is_known:
        return Decision(Verdict.UNKNOWN, deciders, deciders, (_pods_gap(view),))
    return blocks(*deciders)


def _pods_gap(view: View) -> Gap:
    return Gap(Pod.kind, f"the pods of {view.service.namespace}", to_open=Pod.look)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
