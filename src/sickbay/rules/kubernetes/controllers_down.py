from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The controller manager does not work: new workloads are not acted upon",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"no controller has looked at (?P<kind>deployment|replicaset|statefulset|daemonset|job) (?P<namespace>[\w.-]{1,253})/(?P<workload>[\w.-]{1,253}) in the (?P<seconds>\d+) s since it was made",
            says="no controller has looked at {kind} {namespace}/{workload} in {seconds} s",
            sample="no controller has looked at deployment shop/web in the 95 s since it was made",
            near_miss="no scheduler has looked at pod shop/web-1 in the 95 s since it was made",
        ),
    ),
    why="The controllers of Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs note in the status what they have seen, at once and before anything else. A workload without such a note was never seen: kube-controller-manager is down, cannot reach the API server or lost its lease. Then nothing is created, scaled, replaced or cleared away, nodes that die are not noticed, and endpoints do not follow their pods.",
    remedy=(
        Step(
            "See whether it runs and renews its lease (where the control plane is your own).",
            run=(
                "kubectl",
                "get",
                "lease",
                "kube-controller-manager",
                "-n",
                "kube-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "On your own control plane, restart the static pod of kube-controller-manager and read its log; expired certificates and an API server that it cannot reach are the usual causes.",
            risk=Risk.SAFE,
            verify="kubectl get {kind} {workload} -n {namespace} shows its pods",
        ),
        Step(
            "On AKS it is part of the managed control plane: see its state and open a ticket.",
            run=("az", "aks", "show", "-g", "{resource_group}", "-n", "{cluster}", "-o", "json"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/",
        "https://kubernetes.io/docs/tasks/debug/debug-cluster/",
    ),
    leads_to=("kubernetes.rollout_stuck", "kubernetes.pods_not_created"),
    spreads=True,
    ask="kubectl get lease kube-controller-manager -n kube-system -o yaml",
)
