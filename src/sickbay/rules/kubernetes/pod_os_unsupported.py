from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet rejects a pod: its node runs another operating system (PodOSNotSupported)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bPodOSNotSupported\b|\bPodOSSelectorNodeLabelDoesNotMatch\b|Failed to admit pod as the .{1,40}? doesn't match node (?:OS|label)",
            says="a pod is for another operating system than its node has",
            sample="Warning  PodOSNotSupported  5s  kubelet  Failed to admit pod as the OS field doesn't match node OS",
            near_miss="Warning  NodeAffinity  5s  kubelet  Predicate NodeAffinity failed",
        ),
    ),
    why="A pod says in spec.os.name, or by its selector kubernetes.io/os, for which operating system it is, and it was put on a node with another one: by nodeName, by a toleration without a selector, or because the label of the node was changed. The kubelet fails such a pod at once, and a controller makes the next one.",
    remedy=(
        Step(
            "See on which node the pod was put, and which operating system the nodes have.",
            run=("kubectl", "get", "nodes", "-L", "kubernetes.io/os", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Take nodeName out and select the nodes by kubernetes.io/os, as spec.os.name says it; with no such node, add a node pool of that system.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/#pod-os",),
    leads_to=("kubernetes.pod_failed", "kubernetes.rollout_stuck"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
