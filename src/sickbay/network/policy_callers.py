"""Whether policies let those in who call pods for others, and the change that lets them in."""

from typing import Final, NamedTuple

from sickbay.model.evidence import UnseenError
from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy, PolicySpec
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy import decide
from sickbay.network.services_backends import Backend
from sickbay.network.traffic import Decider, Decision, Place, Traffic, Verdict

# The pods that carry the traffic of ingresses: label, value, and namespace where that is needed.
_CONTROLLERS: Final = (
    ("app.kubernetes.io/name", "ingress-nginx", ""),
    ("app", "nginx", "app-routing-system"),
    ("app.kubernetes.io/name", "traefik", ""),
)
_COMPONENT: Final = "app.kubernetes.io/component"
_TUNNEL: Final = {"app": "konnectivity-agent"}
_SYSTEM: Final = "kube-system"


class Refused(NamedTuple):
    """A call that policies drop: between whom, and the policy to widen with its change."""

    caller: str
    target: str
    port: int
    by: Decider
    policy: str
    namespace: str
    patch: str


def ingress_controller(snapshot: Snapshot) -> Pod | None:
    """The first pod of an ingress controller in evidence that is ready."""
    return snapshot.once(_ingress_controller)


def api_tunnel(snapshot: Snapshot) -> Pod | None:
    """A pod through which the API server reaches others; None where it needs none."""
    agents = snapshot.labelled(Pod, _SYSTEM, _TUNNEL)
    if not agents:
        snapshot.require(Pod, _SYSTEM)
    return min(agents, key=lambda pod: pod.name, default=None)


def refused(snapshot: Snapshot, caller: Pod, backend: Backend) -> Refused | None:
    """What drops a call to a pod; None when it passes. UnseenError when that cannot be told."""
    pod = backend.pod
    if pod is None:
        return None
    source, target = _place(caller), _place(pod)
    decision = decide(snapshot, source, target, Traffic("TCP", backend.port))
    if decision.verdict is Verdict.UNKNOWN and decision.gaps:
        raise UnseenError(decision.gaps[0])
    if decision.verdict is not Verdict.BLOCKED:
        return None
    by, has_rules = _to_widen(snapshot, decision)
    namespace, _, name = by.name.rpartition("/")
    patch = _patch(caller, backend.port, has_rules=has_rules)
    return Refused(source.label, target.label, backend.port, by, name, namespace, patch)


def _to_widen(snapshot: Snapshot, decision: Decision) -> tuple[Decider, bool]:
    """The policy that already lets something in, rather than one that only closes."""
    for by in decision.by:
        policy = snapshot.find(by.ref) if by.ref else None
        spec = policy.read(PolicySpec) if isinstance(policy, NetworkPolicy) else ""
        if not isinstance(spec, str) and spec.ingress:
            return by, True
    return decision.by[0], False


def _patch(caller: Pod, port: int, *, has_rules: bool) -> str:
    """A JSON patch that lets the namespace of a caller in at one port."""
    whom = f'{{"kubernetes.io/metadata.name":"{caller.namespace}"}}'
    peer = f'{{"namespaceSelector":{{"matchLabels":{whom}}}}}'
    rule = f'{{"from":[{peer}],"ports":[{{"protocol":"TCP","port":{port}}}]}}'
    if has_rules:
        return f'[{{"op":"add","path":"/spec/ingress/-","value":{rule}}}]'
    return f'[{{"op":"add","path":"/spec/ingress","value":[{rule}]}}]'


def _ingress_controller(snapshot: Snapshot) -> Pod | None:
    found = [
        pod
        for pod in (snapshot.some(Pod) if snapshot.holds(Pod.kind) else ())
        if _is_controller(pod) and pod.is_ready
    ]
    return min(found, key=lambda pod: (pod.namespace, pod.name), default=None)


def _is_controller(pod: Pod) -> bool:
    labels = pod.labels
    return labels.get(_COMPONENT) in (None, "controller") and any(
        labels.get(key) == value and namespace in ("", pod.namespace)
        for key, value, namespace in _CONTROLLERS
    )


def _place(pod: Pod) -> Place:
    return Place(f"{pod.namespace}/{pod.name}", pod=pod)
