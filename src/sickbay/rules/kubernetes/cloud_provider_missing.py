from sickbay.model.ages import hours_between, looked_at
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

# A cloud controller takes a new node in hand within a minute or two.
PATIENCE_HOURS = 0.25
_UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"


@each(Node)
def waits_for_its_cloud(node: Node, snapshot: Snapshot) -> Match | Clear | None:
    if not any(taint.key == _UNINITIALIZED for taint in node.spec.taints or ()):
        return None
    hours = hours_between(node.metadata.creation_timestamp, looked_at(snapshot))
    if hours is None:
        return None
    if hours < PATIENCE_HOURS:
        return Clear(f"node {node.name} has just joined")
    return Match(
        f"node {node.name} is there for {hours:.1f} hours and still bears the taint {_UNINITIALIZED}, so it takes no pods",
        cites=(node.cite("spec.taints[*].key", _UNINITIALIZED),),
    )


RULE = Rule(
    title="Nodes stay uninitialised: no cloud provider (cloud-controller-manager, cloud-node-manager) takes them over",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        waits_for_its_cloud,
        Signature(
            pattern=r"nodes are available:.{0,400}?(?:had untolerated taint(?:s|\(s\))?|had taint) \{node\.cloudprovider\.kubernetes\.io/uninitialized|node\.cloudprovider\.kubernetes\.io/uninitialized(?:=true)?:NoSchedule",
            says="nodes carry the taint node.cloudprovider.kubernetes.io/uninitialized",
            sample="0/1 nodes are available: 1 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
            near_miss="0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
            weight=TYPICAL,
        ),
    ),
    why="A kubelet with --cloud-provider=external registers its node with this taint, and only the cloud provider removes it, when it has found the machine in Azure. It is not installed (Cluster API does not do it by itself), cannot sign in, or looks in another resource group.",
    remedy=(
        Step(
            "See whether its pods run, and what they say.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-l",
                "component=cloud-controller-manager",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install cloud-provider-azure with helm, or correct its azure.json (identity, resource group, vmType).",
            verify="kubectl describe nodes shows no taint uninitialized",
        ),
    ),
    docs=(
        "https://capz.sigs.k8s.io/self-managed/addons",
        "https://kubernetes.io/docs/tasks/administer-cluster/running-cloud-controller/",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get pods -n kube-system -l component=cloud-controller-manager",
)
