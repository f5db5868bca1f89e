from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The vertical pod autoscaler changes nothing: no admission controller, no fitting pods or too few of them",
    severity=Severity.WARNING,
    categories=(Category.SCALING,),
    detect=(
        Signature(
            pattern=r'Error getting Admission Controller status|"?vpa-admission-controller"? not found\. Skipping eviction loop|Admission Controller (?:status )?is not (?:active|valid)|targetRef controller has a parent but it should point to a topmost|NoPodsMatched.{0,60}?No pods match this VPA|No pods match this VPA object|ConfigUnsupported.{0,100}?(?:targetRef|scale subresource)|Unhandled targetRef .{3,120}?last error|Cannot read targetRef|Failed to get CheckpointWriter|too few replicas for \w{2,40} \S{1,200}\. Found \d+ live pods',
            says="the vertical autoscaler cannot act",
            sample='E1215 08:47:01.643283       1 updater.go:116] Error getting Admission Controller status: leases.coordination.k8s.io "vpa-admission-controller" not found. Skipping eviction loop',
            near_miss="I1215 08:47:01.643283       1 updater.go:246] Updating pod cart-1",
            passes=True,
        ),
    ),
    why="The recommender computes, the updater evicts pods, and the admission webhook writes the new requests into their successors. The updater waits while the webhook does not report itself, and a target that is missing, owned by something else or without matching pods gets no recommendation. Workloads with fewer replicas than --min-replicas (2) are not evicted.",
    remedy=(
        Step(
            "See whether its three parts run.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what each autoscaler says of its target.",
            run=(
                "kubectl",
                "get",
                "vpa",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the admission controller, or let targetRef name the topmost controller of the pods.",
            risk=Risk.SAFE,
            verify="kubectl describe vpa shows a recommendation",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/vertical-pod-autoscaler",),
    ask="kubectl get vpa -A -o yaml",
)
