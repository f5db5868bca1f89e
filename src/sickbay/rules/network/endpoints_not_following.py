from sickbay.model.ages import hours_between, seen_at
from sickbay.model.evidence import UnseenError
from sickbay.model.exposure import Endpoints, EndpointSlice
from sickbay.model.kubernetes import Pod, condition_of
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import wiring
from sickbay.network.services_backends import addresses_of, counts_as_ready, holding
from sickbay.network.services_pods import selected
from sickbay.network.traffic import Verdict
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# Slices follow within seconds; lists that were saved one after the other may differ by a minute.
PATIENCE_HOURS = 0.05
_FELT_AS = (
    "kubernetes.service_no_endpoints",
    "network.connection_times_out",
    "kubernetes.program_fails",
)


@each(Service)
def publishes_other_pods(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    ready = [pod for pod in selected(snapshot, service) if counts_as_ready(pod, service)]
    if not ready or service.spec.type == "ExternalName":
        return None
    published = holding(snapshot, service)
    if published is None:
        snapshot.require(EndpointSlice, service.namespace)
        return None
    own = {address for pod in ready for address in addresses_of(pod)}
    if any(held.is_ready and held.address in own for held in published.addresses):
        return Clear(f"{published.kind} {published.name} holds a pod that is ready")
    decision = wiring(snapshot, service).decision
    if decision.verdict is Verdict.UNKNOWN and decision.gaps:
        raise UnseenError(decision.gaps[0])
    decider = decision.by[0]
    if decision.passes or decider.kind not in {EndpointSlice.kind, Endpoints.kind}:
        return Clear(f"{decider.kind} {decider.name} {decider.says}")
    name = f"{service.namespace}/{service.name}"
    is_listed = decider.kind == Endpoints.kind or bool(
        snapshot.grouped(EndpointSlice, "service", name)
    )
    hours = _ready_for(ready, snapshot)
    if hours is not None and hours < PATIENCE_HOURS:
        return None
    return Match(
        f"{decider.kind} {decider.name} of service {service.name} {decider.says}",
        facts={"service": service.name, "ready": ready[0].name},
        cites=(service.cite("spec.selector", service.spec.selector),),
        # Without times, the lists may be of two moments of a rollout.
        weight=None if hours is not None and is_listed else TYPICAL,
        # Of a service without any slice the list may have been cut, until somebody misses it.
        felt_as=() if is_listed else _FELT_AS,
    )


def _ready_for(pods: list[Pod], snapshot: Snapshot) -> float | None:
    """The hours for which the oldest of some pods is ready, where the documents tell."""
    found = []
    for pod in pods:
        ready = condition_of(pod.status.conditions, "Ready")
        hours = hours_between(ready.last_transition_time if ready else None, seen_at(pod, snapshot))
        if hours is not None:
            found.append(hours)
    return max(found, default=None)


RULE = Rule(
    title="The endpoints of a service do not follow its pods: ready pods are not published, or dead ones still are",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(publishes_other_pods,),
    why="Traffic to a service goes to the addresses in its EndpointSlices, which a controller keeps equal to the pods that the selector picks and that are ready. Slices that somebody wrote by hand, that lost their label endpointslice.kubernetes.io/managed-by, or a controller that is stuck keep old addresses, and traffic goes to pods that are no more.",
    remedy=(
        Step(
            "See who keeps the slices, and what they hold.",
            run=(
                "kubectl",
                "get",
                "endpointslices",
                "-n",
                "{namespace}",
                "-l",
                "kubernetes.io/service-name={service}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the slices of the service: the controller makes them again from the pods that are ready.",
            run=(
                "kubectl",
                "delete",
                "endpointslices",
                "-n",
                "{namespace}",
                "-l",
                "kubernetes.io/service-name={service}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={service} wants the address of {ready}",
        ),
        Step(
            "If they do not come back, the controller in the control plane is stuck: open a support request for the cluster."
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    ),
    leads_to=(
        "kubernetes.service_no_endpoints",
        "network.connection_times_out",
        # Who calls the service gives up, waits or says that it is not ready.
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
        "kubernetes.probe_bad_answer",
        "kubernetes.job_failed",
    ),
    ask="kubectl get endpointslices,pods -n {namespace} -o wide",
)
