from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, Service, StatefulSet
from sickbay.network.services_pods import meant_workload, selected
from sickbay.rulekit import TYPICAL, Category, Cite, Match, Risk, Rule, Severity, Step, each

# How callers say that nobody answers; a headless service has no address either.
_COMPLAINTS = (
    "network.connection_refused",
    "network.connection_times_out",
    "network.backend_refuses",
)


@each(Service, TYPICAL)
def is_parked(service: Service, snapshot: Snapshot) -> Match | None:
    if not service.spec.selector:
        return None
    snapshot.require(Pod, service.namespace)
    meant = None if selected(snapshot, service) else meant_workload(snapshot, service)
    if not isinstance(meant, Deployment | StatefulSet) or meant.spec.replicas != 0:
        return None
    is_headless = service.spec.cluster_ip == "None"
    return Match(
        f"service {service.namespace}/{service.name} stands for {meant.kind} {meant.name}, which is scaled to 0, so nobody answers there",
        facts={"service": service.name, "kind": meant.kind.lower(), "workload": meant.name},
        cites=(Cite(meant.ref, "spec.replicas", "0"),),
        # Parked on purpose, as far as anybody knows, until a caller complains.
        felt_as=(*_COMPLAINTS, "network.dns_name_unknown") if is_headless else _COMPLAINTS,
    )


RULE = Rule(
    title="A service is called whose workload is scaled to zero replicas, so its callers are refused",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(is_parked,),
    why="A service whose Deployment or StatefulSet has no replicas has no endpoints: kube-proxy rejects every connection to its address, and whoever depends on it fails or waits, though nothing is wrong with the caller.",
    remedy=(
        Step(
            "See who scaled it down, and whether that was meant.",
            run=("kubectl", "describe", "{kind}", "{workload}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Start it again.",
            run=("kubectl", "scale", "{kind}", "{workload}", "-n", "{namespace}", "--replicas=1"),
            verify="kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={service} wants addresses",
        ),
        Step("If it is parked for good, take its callers out of service as well."),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#scaling-a-deployment",
    ),
    leads_to=(
        *_COMPLAINTS,
        "network.dns_name_unknown",
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
        "kubernetes.readiness_fails",
        "kubernetes.probe_bad_answer",
        "kubernetes.job_failed",
    ),
    ask="kubectl get deployments,statefulsets -n {namespace}",
)
