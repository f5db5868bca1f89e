from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The scheduler does not work: new pods are not even looked at",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"no scheduler has looked at pod (?P<namespace>[\w.-]{1,253})/(?P<pod>[\w.-]{1,253}) in the (?P<seconds>\d+) s since it was made",
            says="no scheduler has looked at {namespace}/{pod} in {seconds} s",
            sample="no scheduler has looked at pod shop/web-5f4b79786f-jqgd4 in the 312 s since it was made",
            near_miss="0/3 nodes are available: 3 Insufficient cpu.",
        ),
    ),
    why="Within a second of its making a scheduler either binds a pod to a node or writes the condition PodScheduled with its reason into it. A pod that has neither was never looked at: the scheduler is down, cannot reach the API server or lost its lease. What runs already goes on; nothing new starts, and nothing that ends is replaced elsewhere.",
    remedy=(
        Step(
            "See whether the scheduler runs and renews its lease (where the control plane is your own).",
            run=("kubectl", "get", "lease", "kube-scheduler", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "On your own control plane, restart the static pod of kube-scheduler and read its log; expired certificates and an API server that it cannot reach are the usual causes.",
            risk=Risk.SAFE,
            verify="kubectl get pod {pod} -n {namespace} shows a NODE",
        ),
        Step(
            "On AKS the scheduler is part of the managed control plane: see its state and open a ticket.",
            run=("az", "aks", "show", "-g", "{resource_group}", "-n", "{cluster}", "-o", "json"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
        "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
    spreads=True,
    ask="kubectl get lease kube-scheduler -n kube-system -o yaml",
)
