from sickbay.model.exposure import Endpoints, EndpointSlice
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_OF_API_SERVER = kube("Service", "default", "kubernetes")
# How callers say that nobody answers.
_COMPLAINTS = (
    "network.connection_refused",
    "network.connection_times_out",
    "network.backend_refuses",
)


@each(Service, TYPICAL)
def has_neither(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    spec = service.spec
    if spec.selector or spec.type == "ExternalName" or spec.is_headless:
        return None
    # The API server enters itself behind its own service.
    if service.ref == _OF_API_SERVER:
        return None
    snapshot.require(EndpointSlice, service.namespace)
    named = f"{service.namespace}/{service.name}"
    slices = snapshot.in_namespace(EndpointSlice, service.namespace)
    older = snapshot.in_namespace(Endpoints, service.namespace)
    if any(one.endpoints for one in slices if one.service == named) or any(
        one.subsets for one in older if one.name == service.name
    ):
        return Clear(f"service {named} has endpoints that were entered for it")
    return Match(
        f"service {named} has no selector, and nobody has entered endpoints for it, so nobody answers there",
        facts={"service": service.name},
        cites=(service.cite("spec.selector", ""),),
        # Some are made for their name only, until a caller complains.
        felt_as=_COMPLAINTS,
    )


RULE = Rule(
    title="A service has neither a selector nor endpoints of its own, so whoever calls it is refused",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(has_neither,),
    why="Kubernetes looks for the pods behind a service by its selector. Without one somebody else has to enter the addresses as an EndpointSlice that carries the label kubernetes.io/service-name; until then kube-proxy rejects every connection to the service.",
    remedy=(
        Step(
            "See the slices of the namespace, and to which services they belong.",
            run=(
                "kubectl",
                "get",
                "endpointslices",
                "-n",
                "{namespace}",
                "-L",
                "kubernetes.io/service-name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the service the selector of its pods, or create an EndpointSlice with the label kubernetes.io/service-name={service} and the addresses that are meant.",
            verify="kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={service} wants addresses",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/service/#services-without-selectors",
    ),
    leads_to=(
        *_COMPLAINTS,
        "kubernetes.program_fails",
        "kubernetes.init_container_waits",
    ),
    ask="kubectl get endpointslices -n {namespace} -o json",
)
