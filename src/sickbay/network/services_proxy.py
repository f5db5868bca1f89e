"""What turns the addresses of services into those of pods on a node: kube-proxy, or Cilium."""

from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.exposure import NatRules
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet
from sickbay.network.services_pods import has_status, why_not_ready
from sickbay.network.traffic import Decider, Decision, Verdict

_SYSTEM: Final = "kube-system"
_PROXY: Final = "kube-proxy"
_CILIUM: Final = "cilium"
_NAME: Final = f"{_SYSTEM}/{_PROXY}"


class _Proxies(NamedTuple):
    by_node: dict[str, Pod]
    is_there: bool
    has_cilium: bool


def decide(snapshot: Snapshot, node: str) -> Decision | None:
    """Whether services are translated on a node; None when nothing in evidence tells.

    A pod of kube-proxy that is missing or cannot start leaves a node without rules, or with old
    ones: only the rules themselves would tell more.
    """
    found = snapshot.once(_proxies)
    if found.has_cilium and not found.is_there:
        decider = Decider(
            "DaemonSet", f"{_SYSTEM}/{_CILIUM}", "translates services in place of kube-proxy"
        )
        return Decision(Verdict.ALLOWED, (decider,), (decider,))
    if not found.is_there or not node or _has_proxy_of_its_own(snapshot, node):
        return None
    pod = found.by_node.get(node)
    if pod is not None and (pod.is_ready or not found.has_cilium):
        return _of_pod(pod, node)
    # Where both are there, either may do it.
    if found.has_cilium or not snapshot.has_seen(Pod.kind, _SYSTEM):
        return None
    return _decision(
        Verdict.BLOCKED,
        Decider("DaemonSet", _NAME, f"runs no pod on {node}", kube("DaemonSet", _SYSTEM, _PROXY)),
    )


def _of_pod(pod: Pod, node: str) -> Decision | None:
    if not has_status(pod):
        return None
    name = f"{pod.namespace}/{pod.name}"
    if pod.is_ready:
        return _decision(
            Verdict.ALLOWED, Decider("Pod", name, f"is ready and keeps the rules of {node}")
        )
    says = f"is not ready on {node}: {why_not_ready(pod)}"
    decider = Decider("Pod", name, says, pod.ref)
    if pod.waiting or pod.status.phase != "Running":
        return _decision(Verdict.BLOCKED, decider)
    gap = Gap(NatRules.kind, f"the NAT rules of {node}", to_open=_look(node))
    return Decision(Verdict.UNKNOWN, (decider,), (decider,), (gap,))


def _look(node: str) -> str:
    return NatRules.look.replace("<node>", node)


def _decision(verdict: Verdict, decider: Decider) -> Decision:
    return Decision(verdict, (decider,), (decider,))


def _has_proxy_of_its_own(snapshot: Snapshot, name: str) -> bool:
    """Windows runs kube-proxy as a service of the machine; virtual nodes have none to run."""
    node = snapshot.find(kube("Node", "", name))
    if not isinstance(node, Node):
        return "win" in name.partition("-")[0]
    labels = node.labels
    info = node.status.node_info
    system = labels.get("kubernetes.io/os") or (info.operating_system if info else "") or ""
    return system.casefold() == "windows" or labels.get("type") == "virtual-kubelet"


def _proxies(snapshot: Snapshot) -> _Proxies:
    by_node: dict[str, Pod] = {}
    has_cilium = snapshot.find(kube("DaemonSet", _SYSTEM, _CILIUM)) is not None
    pods = snapshot.in_namespace(Pod, _SYSTEM)
    for pod in sorted(pods, key=lambda one: (one.is_ready, one.name)):
        # Of two on one node the one that is ready counts.
        if _is_proxy(pod) and pod.node:
            by_node[pod.node] = pod
        has_cilium = has_cilium or pod.labels.get("k8s-app") == _CILIUM
    is_there = bool(by_node) or isinstance(
        snapshot.find(kube("DaemonSet", _SYSTEM, _PROXY)), DaemonSet
    )
    return _Proxies(by_node, is_there, has_cilium)


def _is_proxy(pod: Pod) -> bool:
    labels = pod.labels
    is_labelled = _PROXY in (labels.get("component"), labels.get("k8s-app"))
    return is_labelled or pod.name.startswith(f"{_PROXY}-")
