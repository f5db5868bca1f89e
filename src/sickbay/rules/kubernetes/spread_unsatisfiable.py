from sickbay.model.company import open_nodes, refusal
from sickbay.model.kubernetes import Pod
from sickbay.model.placement import is_unschedulable
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


@each(Pod)
def must_keep_away(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    nodes = open_nodes(pod, snapshot)
    if not nodes:
        return None
    why = refusal(pod, nodes, snapshot)
    if not why:
        return Clear(f"no rule between pods keeps {pod.namespace}/{pod.name} from a node")
    return Match(
        f"{pod.namespace}/{pod.name} may go to none of {len(nodes)} nodes by its {why}",
        cites=(pod.cite("status.phase", pod.status.phase),),
    )


RULE = Rule(
    title="The pod's affinity to other pods or its topology spread leaves no node for it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(
        must_keep_away,
        Signature(
            pattern=r"nodes are available:.{0,400}?node\(s\) didn't (?:match pod (?:anti-)?affinity(?:/anti-affinity)?(?: rules)?|satisfy existing pods anti-affinity rules|match pod topology spread constraints)",
            says="affinity rules between pods refuse the nodes that are left",
            sample="0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
            near_miss="0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.",
            weight=TYPICAL,
        ),
    ),
    why="Anti-affinity and topology spread constraints with DoNotSchedule want the replicas on different nodes or zones; with more replicas than nodes or zones, or with one zone full, the rest cannot be placed.",
    remedy=(
        Step(
            "Count nodes per zone against the replicas.",
            run=("kubectl", "get", "nodes", "-L", "topology.kubernetes.io/zone"),
            risk=Risk.READ,
        ),
        Step(
            "Add nodes in the zone that lacks them, or run fewer replicas.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or make the rule a preference (preferredDuringScheduling, ScheduleAnyway).",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/",),
    leads_to=("kubernetes.pod_pending", "aks.new_node_unfit"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
