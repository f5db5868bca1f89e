from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.rows import EndpointsRow, ServiceRow
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services import wiring
from sickbay.network.services_mistakes import is_relied_on, miss
from sickbay.network.services_pods import selected, spelled_labels
from sickbay.network.services_rows import missed, missed_by
from sickbay.network.traffic import Verdict
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Service)
def selects_no_pod(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    selector = service.spec.selector
    if not selector or service.spec.type == "ExternalName":
        return None
    snapshot.require(Pod, service.namespace)
    count = len(selected(snapshot, service))
    if count:
        return Clear(f"{service.namespace}/{service.name} selects {count} pods")
    decision = wiring(snapshot, service).decision
    if decision.verdict is not Verdict.BLOCKED or not decision.by:
        return None
    decider = decision.by[0]
    if decider.ref != service.ref:
        return Clear(f"{decider.kind} {decider.name} {decider.says}")
    if not snapshot.in_namespace(Pod, service.namespace):
        return None
    return _judged(service, snapshot, decider.says)


@each(EndpointsRow, TYPICAL)
def lists_no_endpoints(row: EndpointsRow, snapshot: Snapshot) -> Match | Clear | None:
    found = missed(snapshot, row)
    if found is None:
        return None
    wanted = spelled_labels(found.selector)
    return Match(
        f"{row.name} has no endpoints: it selects {wanted}, and {found.says}",
        facts={"service": row.name, "selector": wanted, "patch": found.patch},
        cites=(row.cite("ENDPOINTS", "<none>"),),
        subject=kube(Service.kind, row.namespace, row.name),
    )


@each(ServiceRow, TYPICAL)
def picks_none_of_those_listed(row: ServiceRow, snapshot: Snapshot) -> Match | None:
    if snapshot.find(kube(EndpointsRow.kind, row.namespace, row.name)):
        return None  # its endpoints tell
    found = missed_by(snapshot, row)
    if found is None:
        return None
    wanted = spelled_labels(found.selector)
    return Match(
        f"{row.name} selects {wanted}, and {found.says}",
        facts={"service": row.name, "selector": wanted, "patch": found.patch},
        cites=(row.cite("SELECTOR", wanted),),
        subject=kube(Service.kind, row.namespace, row.name),
    )


def _judged(service: Service, snapshot: Snapshot, says: str) -> Match | Clear:
    name, found = f"{service.namespace}/{service.name}", miss(snapshot, service)
    if found.moving:
        labels = ", ".join(found.moving)
        return Clear(f"{name} waits for a label that moves between pods ({labels})")
    # A service for something that is not deployed harms nobody until somebody relies on it.
    if not found.is_mistake and not is_relied_on(snapshot, service):
        return Clear(f"{name} selects no pod, and nothing in evidence relies on it")
    wanted = spelled_labels(service.spec.selector or {})
    return Match(
        f"{name} {says}",
        facts={"service": service.name, "selector": wanted, "patch": found.patch},
        cites=(service.cite("spec.selector", wanted),),
        weight=None if found.is_mistake else TYPICAL,
    )


RULE = Rule(
    title="The selector of a service matches no pod",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(selects_no_pod, lists_no_endpoints, picks_none_of_those_listed),
    why="A service finds its pods by labels; when its selector names a label or value that no pod in its namespace carries, it has no endpoints and every connection to it fails.",
    remedy=(
        Step(
            "See the labels of the pods.",
            run=("kubectl", "get", "pods", "-n", "{namespace}", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the selector of the service (or the labels of the pods).",
            run=(
                "kubectl",
                "patch",
                "service",
                "{service}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={service} wants addresses",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=(
        "kubernetes.service_no_endpoints",
        # Who calls it gives up, waits or is not ready; names fail if it is that of the cluster's DNS.
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
        "kubernetes.probe_bad_answer",
        "kubernetes.job_failed",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    ask="kubectl get pods -n {namespace} --show-labels",
)
