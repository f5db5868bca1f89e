from sickbay.model.evidence import UnseenError
from sickbay.model.exposure import GatewayRoute, GRPCRoute, HTTPRoute, TCPRoute
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.exposure import route_paths
from sickbay.network.services_ports import offered, targets
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(HTTPRoute)
def sends_requests_nowhere(route: HTTPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(GRPCRoute)
def sends_calls_nowhere(route: GRPCRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(TCPRoute)
def sends_streams_nowhere(route: TCPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


def _judge(route: GatewayRoute, snapshot: Snapshot) -> Match | Clear | None:
    for path in route_paths(snapshot, route):
        namespace, _, name = path.service.partition("/")
        if not name:
            continue
        service = snapshot.find(kube(Service.kind, namespace, name))
        said = [
            one
            for one in path.decision.by
            if one.ref == route.ref and one.says.startswith("sends ")
        ]
        says = said[0].says if said and path.decision.verdict is Verdict.BLOCKED else ""
        if (
            isinstance(service, Service)
            and path.port
            and service.spec.ports
            and not service.spec.is_headless
            and not targets(service, path.port, "TCP")
        ):
            says = f"sends {path.host or '*'}{path.path} to port {path.port} of service {path.service}, which has only {offered(service)}"
        if says:
            return Match(
                f"{route.kind} {route.namespace}/{route.name} {says}",
                facts={
                    "route": route.name,
                    "kind": route.kind.casefold(),
                    "backend": path.service,
                    "backend_namespace": namespace,
                },
                cites=(route.cite("spec.rules[*].backendRefs", path.service),),
            )
        if not isinstance(service, Service) and path.decision.verdict is Verdict.UNKNOWN:
            raise UnseenError(path.decision.gaps[0])
    return Clear(f"the services and ports of {route.kind} {route.namespace}/{route.name} exist")


RULE = Rule(
    title="A route of the Gateway API sends traffic to a service or port that does not exist (BackendNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        sends_requests_nowhere,
        sends_calls_nowhere,
        sends_streams_nowhere,
        Signature(
            pattern=r"\bBackendNotFound\b|[Rr]eason\W{1,4}InvalidKind\b|backendRef\S{0,40} .{0,80}?kind .{0,40}? (?:is )?not supported|backend\(s\) not found|unsupported reference type.{0,60}?ResolvedRefs|Cannot load (?:HTTP|TCP|TLS|GRPC)Route service (?P<service>[\w./-]{1,120}): service not found|backendRefs?\[\d+\]\.name: Not found: \"(?P<backend>[\w.-]+)\"",
            says="a route names a backend that does not exist",
            sample='Message: spec.rules[0].backendRefs[0].name: Not found: "coffee" Reason: BackendNotFound Status: False Type: ResolvedRefs',
            near_miss="Message: All references are resolved Reason: ResolvedRefs Status: True Type: ResolvedRefs",
        ),
    ),
    why="The backendRefs of a route name a service and one of its ports, not the port of the pods. For one that does not exist the gateway has nothing to send to: it sets ResolvedRefs to False (BackendNotFound) and answers the share of requests that is meant for it with 500.",
    remedy=(
        Step(
            "See the services and their ports.",
            run=("kubectl", "get", "services", "-n", "{backend_namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the backendRefs of the route, or create the service {backend}.",
            run=("kubectl", "edit", "{kind}", "{route}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get {kind} {route} -n {namespace} -o yaml wants ResolvedRefs True",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/gateway/",
        "https://learn.microsoft.com/azure/application-gateway/for-containers/overview",
    ),
)
