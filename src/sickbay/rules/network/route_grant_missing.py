from sickbay.model.evidence import UnseenError
from sickbay.model.exposure import GatewayRoute, GRPCRoute, HTTPRoute, ReferenceGrant, TCPRoute
from sickbay.model.snapshot import Snapshot
from sickbay.network.exposure import route_paths
from sickbay.network.traffic import Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# Said by the evaluator, and by the controller of the gateway itself.
WORDS = ("no ReferenceGrant", "RefNotPermitted")


@each(HTTPRoute)
def may_not_send_requests(route: HTTPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(GRPCRoute)
def may_not_send_calls(route: GRPCRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(TCPRoute)
def may_not_send_streams(route: TCPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


def _judge(route: GatewayRoute, snapshot: Snapshot) -> Match | Clear | None:
    abroad = [
        path
        for path in route_paths(snapshot, route)
        if path.service and path.service.partition("/")[0] != route.namespace
    ]
    for path in abroad:
        refused = [one for one in path.decision.by if any(word in one.says for word in WORDS)]
        if path.decision.verdict is Verdict.BLOCKED and refused:
            namespace, _, name = path.service.partition("/")
            return Match(
                f"{route.kind} {route.namespace}/{route.name} {refused[0].says}",
                facts={
                    "route": route.name,
                    "kind": route.kind,
                    "service": name,
                    "backend_namespace": namespace,
                },
                cites=(route.cite("spec.rules[*].backendRefs[*].namespace", namespace),),
            )
        gap = next((one for one in path.decision.gaps if one.source == ReferenceGrant.kind), None)
        if gap:
            raise UnseenError(gap)
    if not abroad:
        return None
    return Clear(
        f"{route.kind} {route.namespace}/{route.name} may use the services of other namespaces"
    )


RULE = Rule(
    title="A route uses a service of another namespace that did not grant it (ReferenceGrant, RefNotPermitted)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        may_not_send_requests,
        may_not_send_calls,
        may_not_send_streams,
        Signature(
            pattern=r"\bRefNotPermitted\b",
            says="a reference into another namespace is not permitted",
            sample='message: Backend ref to service shop/web not permitted by any ReferenceGrant. reason: RefNotPermitted status: "False" type: ResolvedRefs',
            near_miss='message: All references are resolved reason: ResolvedRefs status: "True" type: ResolvedRefs',
        ),
    ),
    why="A route may send traffic to services of its own namespace. For those of another one that namespace must hold a ReferenceGrant which names the kind and the namespace of the route; without it the gateway answers with 500 and sets ResolvedRefs to False (RefNotPermitted).",
    remedy=(
        Step(
            "See the grants of the other namespace.",
            run=("kubectl", "get", "referencegrants", "-n", "{backend_namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "In namespace {backend_namespace} create a ReferenceGrant: from group gateway.networking.k8s.io, kind {kind}, namespace {namespace}; to kind Service, name {service}.",
            risk=Risk.SAFE,
            verify="kubectl get {kind} {route} -n {namespace} -o yaml wants ResolvedRefs True",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/gateway/",
        "https://gateway-api.sigs.k8s.io/api-types/referencegrant/",
    ),
)
