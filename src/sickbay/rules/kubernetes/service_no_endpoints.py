from sickbay.model.ages import hours_between, seen_at
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.rows import EndpointsRow
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import wiring
from sickbay.network.services_backends import is_over
from sickbay.network.services_pods import selected
from sickbay.network.services_rows import missed
from sickbay.network.traffic import Verdict
from sickbay.rulekit import (
    SYMPTOM,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

# A pod may take a few minutes to become ready; one that cannot start says so at once.
PATIENCE_HOURS = 0.25
STUCK = frozenset({"CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull"})


@each(Service, SYMPTOM)
def has_no_ready_pod(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    if not service.spec.selector or service.spec.type == "ExternalName":
        return None
    snapshot.require(Pod, service.namespace)
    pods = [pod for pod in selected(snapshot, service) if not is_over(pod)]
    if not pods or any(pod.is_ready for pod in pods):
        return None
    decision = wiring(snapshot, service).decision
    if decision.verdict is not Verdict.BLOCKED or decision.by[0].kind != Pod.kind:
        return None
    if not all(_is_stuck(pod, snapshot) for pod in pods):
        return Clear(f"the pods of {service.namespace}/{service.name} may still be starting")
    decider = decision.by[0]
    return Match(
        f"service {service.namespace}/{service.name} has none of {len(pods)} pods ready: {decider.name} {decider.says}",
        facts={"service": service.name},
        cites=(service.cite("spec.selector", service.spec.selector),),
    )


@each(EndpointsRow, SYMPTOM)
def lists_none(row: EndpointsRow, snapshot: Snapshot) -> Match | Clear | None:
    if not row.spec.is_empty:
        return Clear(f"{row.name} has endpoints")
    # In a list of all some are empty by design; who asks for one by name misses its endpoints.
    if not row.spec.is_asked_for and missed(snapshot, row) is None:
        return None
    return Match(
        f"{row.name} has no endpoints",
        facts={"service": row.name},
        cites=(row.cite("ENDPOINTS", "<none>"),),
        subject=kube(Service.kind, row.namespace, row.name),
    )


def _is_stuck(pod: Pod, snapshot: Snapshot) -> bool:
    if any(one.waiting and one.waiting.reason in STUCK for one in pod.waiting):
        return True
    now = seen_at(pod, snapshot)
    running = [one.state.running for one in pod.status.container_statuses or () if one.state]
    hours = [hours_between(one.started_at, now) for one in running if one]
    return any(one is not None and one >= PATIENCE_HOURS for one in hours)


RULE = Rule(
    title="A service has no endpoints, so nothing answers behind it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        has_no_ready_pod,
        lists_none,
        Signature(
            pattern=r'(?i)service "?(?P<service>[\w./-]+)"? does not have any active endpoint|no (?:active )?endpoints available for service "?(?P<backend>[\w./:-]+)"?|\bno endpoints found for service\b|Skipping service: no endpoints found|Cannot create service: (?:subset not found|no endpoints)|\bsubset not found\b|Couldn.t find an endpoint for \S{1,200}: missing (?:endpoints|service entry)|backend \S{1,100} has no server available|503 Service Temporarily Unavailable.{0,160}?<center>nginx|in fail-fast\b|Service entering failfast after|logical service [\w.:-]{3,200}: service unavailable|HTTP fail-fast|logical service unavailable|HTTP\S{0,8} 503 UH\b|\bno_healthy_upstream\b|no healthy upstream\b',
            says="a service has no endpoint",
            sample='W0112 10:11:12.131415 7 controller.go:1162] Service "shop/cart" does not have any active Endpoint.',
            near_miss='Service "shop/cart" has 3 active endpoints',
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\bEndpoints: (?:<none>|<unset>)?(?: Session| Events|$)",
            says="the description of the service lists no endpoint",
            sample="Name: cart\nNamespace: shop\nType: ClusterIP\nTargetPort: 8080/TCP\nEndpoints:         <none>\nSession Affinity:  None",
            near_miss="Name: cart\nNamespace: shop\nEndpoints:         10.244.1.7:8080\nSession Affinity:  None",
            weight=SYMPTOM,
        ),
    ),
    why="A service forwards only to pods that its selector picks and that are ready; without one of them every connection to it is refused or answered with 503.",
    remedy=(
        Step(
            "Compare the selector with the labels of the pods.",
            run=("kubectl", "get", "endpointslices", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the selector, or make the pods behind it ready.",
            verify="kubectl get endpointslices -n {namespace} wants addresses",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/connection-issues-application-hosted-aks-cluster",
    ),
    leads_to=(
        "network.connection_refused",
        "network.connection_times_out",
    ),
)
