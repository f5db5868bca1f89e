from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The runtime still holds an earlier attempt to make the same container (name is reserved)",
    severity=Severity.WARNING,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r'failed to reserve (?:container|sandbox) name "?(?P<name>[^" ]{1,200})"?|name "[^"]{1,200}" is reserved for|Conflict\. The container name .{0,3}/k8s_.{1,250}? is already in use by container',
            says="the name of a container is still reserved",
            sample='Error: failed to reserve container name "app_cart-1_shop_1f5e_0": name "app_cart-1_shop_1f5e_0" is reserved for "a3b1"',
            near_miss="Normal  Created  3s  kubelet  Created container app",
            weight=TYPICAL,
        ),
    ),
    why="containerd got the request to make a container, was too slow (a busy disk, an overloaded node, a large volume) and was asked again while the first attempt still runs; it lets go when that one ends, or never if the runtime hangs.",
    remedy=(
        Step(
            "See how busy node and disk are.",
            run=(
                "kubectl",
                "describe",
                "node",
                "{node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If it does not go away by itself, restart the container runtime by restarting the node.",
            run=(
                "kubectl",
                "drain",
                "{node}",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/identify-high-disk-io-latency-containers-aks",
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "kubernetes.rollout_stuck",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
