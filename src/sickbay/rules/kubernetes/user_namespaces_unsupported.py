from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod wants a user namespace of its own (hostUsers: false), which its node cannot give",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"can't set `?spec\.hostUsers: false`?|(?:runtime|RuntimeClass handler \S{1,60}) does not support user ?namespaces|user namespaces is not supported by the runtime|failed to set MOUNT_ATTR_IDMAP|doesn't support idmap mounts",
            says="the node cannot run a pod in a user namespace",
            sample="Warning  FailedCreatePodSandBox  8s (x7 over 84s)  kubelet  Failed to create pod sandbox: can't set `spec.hostUsers: false`, runtime does not support user namespaces",
            near_miss="Warning  FailedCreatePodSandBox  8s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to set up network for sandbox",
        ),
    ),
    why="With hostUsers: false the kubelet maps the users of the pod to others of the node. That needs containerd 2.0 or CRI-O, runc 1.2 or crun, a kernel of 6.3 or later, and file systems that take idmapped mounts; where one of them lacks, no sandbox is made.",
    remedy=(
        Step(
            "See the runtime and kernel of the nodes.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Take hostUsers: false out of the pod, or run it on nodes whose image has a newer containerd and kernel.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/",),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "kubernetes.container_create_fails",
        "kubernetes.container_start_fails",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
