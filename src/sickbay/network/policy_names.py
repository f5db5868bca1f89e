"""Whom policies keep from asking the DNS of the cluster, and whether they need names at all."""

from typing import Final, NamedTuple

from sickbay.model.ids import Ref
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.policies import NetworkPolicy, PolicyRule, PolicySpec
from sickbay.model.snapshot import Snapshot
from sickbay.network.pod_kinds import one_of_each
from sickbay.network.policy import decide, policies_selecting
from sickbay.network.traffic import Decider, Place, Traffic, Verdict

_SYSTEM: Final = "kube-system"
_SERVERS: Final = {"k8s-app": "kube-dns"}
_CACHES: Final = {"k8s-app": "node-local-dns"}
_QUESTION: Final = Traffic("UDP", 53)
_PORTS: Final = (53, "dns", "dns-tcp")
_WEB: Final = Traffic("TCP", 443)
_INTERNET: Final = Place("the internet", is_internet=True)
_BY_CLUSTER: Final = (None, "", "ClusterFirst", "ClusterFirstWithHostNet")
_EVERYTHING: Final = "everything else"
_ADDRESSES: Final = "addresses"
_OTHER_SERVERS: Final = "port 53 elsewhere"


class Deaf(NamedTuple):
    """Pods, of which one is named, whose questions are dropped, and who drops them.

    `reaches` is what policies let them reach that they can only know by name, empty when there is
    no such thing; `is_certain` when they surely know it by name.
    """

    pod: str
    by: Decider
    reaches: str
    is_certain: bool


class _Need(NamedTuple):
    reaches: str = ""
    is_certain: bool = False
    policy: Ref | None = None


def deaf_pods(snapshot: Snapshot) -> dict[Ref, Deaf]:
    """By the policy to widen, the first pods that cannot ask the DNS of the cluster.

    Raises UnseenError when the pods of the DNS were not read.
    """
    return snapshot.once(_deaf_pods)


def _deaf_pods(snapshot: Snapshot) -> dict[Ref, Deaf]:
    servers = [
        pod
        for pod in snapshot.labelled(Pod, _SYSTEM, _SERVERS)
        if not pod.metadata.deletion_timestamp
    ]
    if not servers:
        snapshot.require(Pod, _SYSTEM)
        return {}
    if _is_answered_on_node(snapshot):
        return {}
    server = _place(min(servers, key=lambda pod: pod.name))
    found: dict[Ref, Deaf] = {}
    for pod in _asking(snapshot):
        decision = decide(snapshot, _place(pod), server, _QUESTION)
        if decision.verdict is not Verdict.BLOCKED:
            continue
        need = _need(snapshot, pod)
        by = next((one for one in decision.by if one.ref == need.policy), decision.by[0])
        said = Deaf(_place(pod).label, by, need.reaches, need.is_certain)
        known = found.get(by.ref or pod.ref)
        if known is None or (said.reaches and not known.reaches):
            found[by.ref or pod.ref] = said
    return found


def _asking(snapshot: Snapshot) -> list[Pod]:
    """One pod of each kind that asks the cluster's DNS, in the namespaces that have policies."""
    namespaces = sorted({policy.namespace for policy in snapshot.some(NetworkPolicy)})
    return one_of_each(
        pod
        for namespace in namespaces
        for pod in snapshot.in_namespace(Pod, namespace)
        if not pod.spec.host_network and pod.spec.dns_policy in _BY_CLUSTER
        if not _SERVERS.items() <= pod.labels.items()
    )


def _need(snapshot: Snapshot, pod: Pod) -> _Need:
    """What a pod may reach that it must know by name, and the policy that says so."""
    selecting = policies_selecting(snapshot, pod, "egress")
    if not selecting:
        return _Need(_EVERYTHING, is_certain=True)
    is_open = decide(snapshot, _place(pod), _INTERNET, _WEB).verdict is Verdict.ALLOWED
    for one in selecting:
        policy = snapshot.find(one.ref)
        spec = policy.read(PolicySpec) if isinstance(policy, NetworkPolicy) else ""
        for rule in () if isinstance(spec, str) else spec.egress or ():
            told = _told(rule)
            if told and (is_open or told != _ADDRESSES):
                return _Need(_INTERNET.label if is_open else told, is_open, one.ref)
            if _is_for_names(rule):
                return _Need(_OTHER_SERVERS, policy=one.ref)
    return _Need()


def _is_for_names(rule: PolicyRule | None) -> bool:
    """Whether a rule lets questions out, and to whom: then names are wanted."""
    ports = (rule and rule.ports) or ()
    return bool(ports) and all(port.port in _PORTS for port in ports)


def _told(rule: PolicyRule | None) -> str:
    """Whom a rule lets pods reach at other ports than that of DNS; addresses need no names."""
    ports = (rule and rule.ports) or ()
    if ports and all(port.port in _PORTS for port in ports):
        return ""
    peers = (rule and rule.to) or ()
    if any(peer.ip_block is None for peer in peers):
        return "other pods"
    return _ADDRESSES if peers else _EVERYTHING


def _is_answered_on_node(snapshot: Snapshot) -> bool:
    """With a cache on each node pods ask their own node, which no policy stops."""
    if snapshot.labelled(Pod, _SYSTEM, _CACHES):
        return True
    nodes = snapshot.some(Node) if snapshot.holds(Node.kind) else ()
    return any(
        node.labels.get("kubernetes.azure.com/localdns-state") == "enabled" for node in nodes
    )


def _place(pod: Pod) -> Place:
    return Place(f"{pod.namespace}/{pod.name}", pod=pod)
