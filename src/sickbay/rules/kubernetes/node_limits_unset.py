from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet cannot set the limit for all pods of a node (FailedNodeAllocatableEnforcement)",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"\bFailedNodeAllocatableEnforcement\b|Failed to update Node Allocatable Limits",
            says="the cgroup of all pods does not take the limit",
            sample='Warning  FailedNodeAllocatableEnforcement  1m (x106 over 1h)  kubelet, aks-np1-1-0  Failed to update Node Allocatable Limits ["kubepods"]: failed to write 8342003712 to memory.limit_in_bytes: device or resource busy',
            near_miss="Normal  NodeAllocatableEnforced  1m  kubelet  Updated Node Allocatable limit across pods",
            weight=TYPICAL,
        ),
    ),
    why="The kubelet keeps all pods of a node together below what is allocatable, by the cgroup `kubepods`. The kernel refuses the value: the pods use more memory than the new limit already (busy), or the cgroup of the node is not as the kubelet expects it (invalid argument, wrong cgroup driver or path). Until then pods can take memory from kubelet and system.",
    remedy=(
        Step(
            "See what is allocatable and what the pods use.",
            run=("kubectl", "top", "nodes"),
            risk=Risk.READ,
        ),
        Step(
            "Drain the node, so that its pods release their memory, and reimage or reboot it.",
            run=("kubectl", "drain", "{node}", "--ignore-daemonsets", "--delete-emptydir-data"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -A --field-selector reason=FailedNodeAllocatableEnforcement shows no new one",
        ),
        Step("On all nodes of a pool: upgrade its node image."),
    ),
    docs=("https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/",),
    leads_to=("kubernetes.node_memory_pressure",),
    ask="kubectl describe node {node}",
)
