from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_SPEAKER = "metallb-speaker"
_NAMESPACES = ("kube-system", "metallb-system")
_TAINT = "CriticalAddonsOnly"


def speaker_nodes(snapshot: Snapshot) -> frozenset[str]:
    """The nodes on which a speaker runs."""
    pods = (pod for one in _NAMESPACES for pod in snapshot.in_namespace(Pod, one))
    return frozenset(pod.node for pod in pods if _SPEAKER in pod.name)


@each(Node)
def tainted_node_has_no_speaker(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    taints = node.spec.taints or ()
    if not any(one.key == _TAINT and one.effect == "NoSchedule" for one in taints):
        return None
    snapshot.require(Pod, "kube-system")
    speakers = snapshot.once(speaker_nodes)
    if not speakers:
        return None
    if node.name in speakers:
        return Clear(f"a speaker runs on {node.name}")
    return Match(
        f"no speaker of MetalLB runs on {node.name}, which is tainted {_TAINT}",
        facts={"node": node.name},
        cites=(node.cite("spec.taints", f"{_TAINT}=true:NoSchedule"),),
    )


RULE = Rule(
    title="MetalLB speakers stay off nodes with the taint CriticalAddonsOnly",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(tainted_node_has_no_speaker,),
    why="The speaker pods that the extension arcnetworking installs do not tolerate CriticalAddonsOnly=true:NoSchedule, so a node with that taint announces no address, and services whose pods run there are not reached.",
    remedy=(
        Step(
            "See where speakers run.",
            run=("kubectl", "get", "pods", "-n", "kube-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Install the extension again with the setting metallb.speaker.tolerations for this taint: az k8s-extension create --extension-type microsoft.arcnetworking --config-file config.json.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system -o wide wants a speaker on {node}",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/troubleshoot-metallb-speaker-taint",),
    leads_to=("kubernetes.load_balancer_pending",),
)
