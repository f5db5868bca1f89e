from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No node has the host port free that a pod asks for",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"nodes are available:.{0,400}?node\(s\) didn't have free ports for the requested pod ports",
            says="the host port of a pod is taken on every node",
            sample="0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available",
            near_miss="0/3 nodes are available: 3 Insufficient memory.",
        ),
        Signature(
            pattern=r"Predicate (?:NodePorts|PodFitsHostPorts) failed|Reason: (?:NodePorts|HostPortConflict)\b|HostPortConflict",
            says="the kubelet rejected a pod because its host port is taken",
            sample="Reason: NodePorts\nMessage: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
            near_miss="Reason: NodeAffinity",
        ),
    ),
    why="A hostPort can be used once on each node, so at most as many pods run as there are nodes; during a rolling update the old pod still has the port.",
    remedy=(
        Step(
            "See who uses host ports.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,PORTS:.spec.containers[*].ports[*].hostPort",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave hostPort out and use a Service, or let the update remove the old pod first (maxSurge 0).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/overview/",),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get pods -A -o json",
)
