from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet rejects a pod: its CPUs, memory and devices are not on one NUMA node (TopologyAffinityError)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"Resources cannot be allocated with Topology locality|TopologyAffinityError|Topology Affinity Error|SMTAlignmentError|SMT Alignment Error: requested",
            says="the resources of a pod cannot be aligned",
            sample="Warning  TopologyAffinityError  3s  kubelet  Resources cannot be allocated with Topology locality",
            near_miss="topology manager policy: single-numa-node",
        ),
    ),
    why="The topology manager of the node has a strict policy (restricted, single-numa-node), and no NUMA node has enough free CPUs and devices together, although the whole node has. The scheduler does not see that, and so it sends the pod there.",
    remedy=(
        Step(
            "Ask for less, so that one NUMA node suffices, or use a larger machine.",
            risk=Risk.DISRUPTIVE,
            verify="the pod runs",
        ),
        Step("Or choose the policy best-effort for the node pool."),
    ),
    docs=("https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/",),
    leads_to=("kubernetes.pod_failed",),
    ask="kubectl describe node <node>",
)
