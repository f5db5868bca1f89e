from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A kubelet reads for a pod that is not, or no longer, its own (not registered, no relationship found)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"object \"(?P<namespace>[\w.-]+)\"/\"(?P<object>[\w.-]+)\" not registered|no relationship found between node '(?P<node>[\w.-]+)' and this object",
            says="the node is not known to need the object[ {namespace}/{object}]",
            sample='Warning  FailedMount  2m14s  kubelet  MountVolume.SetUp failed for volume "kube-api-access-9xjkd" : object "shop"/"kube-root-ca.crt" not registered',
            near_miss='Warning  FailedMount  2m14s  kubelet  MountVolume.SetUp failed for volume "settings" : configmap "settings" not found',
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A node may read only the secrets, config maps and tokens that the pods bound to it name, and its kubelet keeps only the objects of pods that it runs. The pod was just deleted or moved, its object was made after it, or the kubelet has restarted and not registered its pods yet; it tries again, and mostly the event is over by itself.",
    remedy=(
        Step(
            "See whether the pod is being deleted, and on which node it is.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "If a pod that is to stay waits for minutes, delete it: its controller makes a new one. If that helps none on this node, restart its kubelet.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/node/",),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get pod {pod} -n {namespace} -o json",
)
