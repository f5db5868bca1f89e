from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment, Service
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Service)
def selects_no_pod(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    selector = service.spec.selector
    if not selector or service.spec.type == "ExternalName":
        return None
    snapshot.require(Pod, service.namespace)
    count = len(snapshot.labelled(Pod, service.namespace, selector))
    if count:
        return Clear(f"{service.namespace}/{service.name} selects {count} pods")
    pods = snapshot.in_namespace(Pod, service.namespace)
    if not pods or _is_scaled_to_zero(selector, service.namespace, snapshot):
        return None
    wanted = ",".join(f"{key}={value}" for key, value in sorted(selector.items()))
    near = [pod for pod in pods if selector.items() & pod.labels.items()]
    return Match(
        f"{service.namespace}/{service.name} selects {wanted}, and none of {len(pods)} pods in the namespace has these labels",
        facts={"service": service.name, "selector": wanted},
        cites=(service.cite("spec.selector", wanted),),
        # A service for something that is not deployed is common; labels that nearly fit are a mistake.
        weight=None if near else TYPICAL,
    )


def _is_scaled_to_zero(selector: dict[str, str], namespace: str, snapshot: Snapshot) -> bool:
    deployments = snapshot.in_namespace(Deployment, namespace)
    return any(
        not d.spec.replicas
        and d.spec.selector
        and selector.items() & (d.spec.selector.match_labels or {}).items()
        for d in deployments
    )


RULE = Rule(
    title="The selector of a service matches no pod",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(selects_no_pod,),
    why="A service finds its pods by labels; when its selector names a label or value that no pod in its namespace carries, it has no endpoints and every connection to it fails.",
    remedy=(
        Step(
            "See the labels of the pods.",
            run=("kubectl", "get", "pods", "-n", "{namespace}", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the selector of the service (or the labels of the pods).",
            run=("kubectl", "edit", "service", "{service}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get endpointslices -n {namespace} wants addresses for {service}",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=("kubernetes.service_no_endpoints",),
)
