from sickbay.model.evidence import UnseenError
from sickbay.model.exposure import Gateway, GatewayRoute, GRPCRoute, HTTPRoute, TCPRoute
from sickbay.model.snapshot import Snapshot
from sickbay.network.exposure import route_paths
from sickbay.network.traffic import Decider, Verdict
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# What a route itself says when it hangs on no gateway; the rest is about its backends.
WORDS = ("belongs to gateway", "names no gateway", "is not accepted")


@each(HTTPRoute)
def takes_no_requests(route: HTTPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(GRPCRoute)
def takes_no_calls(route: GRPCRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


@each(TCPRoute)
def takes_no_streams(route: TCPRoute, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(route, snapshot)


def _judge(route: GatewayRoute, snapshot: Snapshot) -> Match | Clear | None:
    path = next(iter(route_paths(snapshot, route)), None)
    if path is None:
        return None
    refusing = [one for one in path.decision.by if _is_about_gateway(one, route)]
    if path.decision.verdict is Verdict.BLOCKED and refusing:
        decider = refusing[0]
        return Match(
            f"{decider.kind} {decider.name} {decider.says}"
            + ("" if decider.ref == route.ref else f" (route {route.namespace}/{route.name})"),
            facts={"route": route.name, "kind": route.kind.casefold()},
            cites=(
                route.cite(
                    "spec.parentRefs", ", ".join(one.name for one in route.spec.parent_refs or ())
                ),
            ),
        )
    gap = next(
        (one for one in path.decision.gaps if one.source in (Gateway.kind, route.kind)), None
    )
    if gap:
        raise UnseenError(gap)
    return Clear(f"a gateway takes {route.kind} {route.namespace}/{route.name}")


def _is_about_gateway(decider: Decider, route: GatewayRoute) -> bool:
    if decider.kind == Gateway.kind:
        return True
    return decider.ref == route.ref and decider.says.startswith(WORDS)


RULE = Rule(
    title="A route of the Gateway API hangs on no gateway that takes it (not accepted)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        takes_no_requests,
        takes_no_calls,
        takes_no_streams,
        Signature(
            pattern=r"\bNotAllowedByListeners\b|\bNoMatchingListenerHostname\b|\bNoMatchingParent\b",
            says="no listener of the gateway takes a route",
            sample='message: No listeners included by this parent ref allowed this attachment. reason: NotAllowedByListeners status: "False" type: Accepted',
            near_miss='message: Route is accepted reason: Accepted status: "True" type: Accepted',
        ),
    ),
    why="A route works only when a gateway takes it: the gateway of its parentRefs exists and is programmed, has a listener of that name or port, admits routes of the namespace (allowedRoutes, by default only its own), and the hostnames of listener and route meet.",
    remedy=(
        Step(
            "See what the gateway says of the route.",
            run=("kubectl", "describe", "{kind}", "{route}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct parentRefs or hostnames of the route, or the listener and allowedRoutes of the gateway.",
            run=("kubectl", "edit", "{kind}", "{route}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get {kind} {route} -n {namespace} -o yaml wants Accepted True",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/gateway/",
        "https://learn.microsoft.com/azure/application-gateway/for-containers/overview",
    ),
)
