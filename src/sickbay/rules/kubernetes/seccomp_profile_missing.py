from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A seccomp or AppArmor profile that a pod names is not on the node",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r'cannot load seccomp profile "?(?P<profile>[^" ]{1,300})|(?i:AppArmor profile .{0,100}?(?:is not loaded|not found))|Cannot enforce AppArmor: (?:profile "(?P<other>[^"]{1,200})"|AppArmor is not)',
            says="the node has no such security profile",
            sample='Error: failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/profiles/audit.json": open /var/lib/kubelet/seccomp/profiles/audit.json: no such file or directory',
            near_miss="Normal  Created  3s  kubelet  Created container app",
        ),
    ),
    why="A profile of type Localhost must lie on every node that may run the pod; new and reimaged nodes do not have what was copied by hand.",
    remedy=(
        Step(
            "Put the profile on the nodes by a DaemonSet or the security profiles operator, or use RuntimeDefault.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/security/troubleshoot-seccomp-profiles",
        "https://kubernetes.io/docs/tutorials/security/seccomp/",
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "kubernetes.rollout_stuck",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
