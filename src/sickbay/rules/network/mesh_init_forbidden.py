from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The init container of a sidecar may not write iptables rules, so pods of the mesh do not start",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:istio-init|istio-iptables|linkerd-init|proxy-init|osm-init|iptables-(?:save|restore)).{0,300}?(?:Permission denied \(you must be root\)|Operation not permitted|can\'t initialize iptables table|unable to initialize table)|can't initialize ip6?tables table .{0,2}nat.{0,2}: Permission denied \(you must be root\)",
            says="the init container of the mesh may not write iptables rules",
            sample="linkerd-init: iptables-save v1.8.10: Permission denied (you must be root)",
            near_miss="istio-init: iptables-restore completed",
            weight=TYPICAL,
            unless=r"kube-proxy",
        ),
    ),
    why="istio-init and linkerd-init redirect the traffic of the pod by iptables. They need NET_ADMIN and NET_RAW (and root), which a policy, PodSecurity level or the node forbids; or the kernel lacks the tables.",
    remedy=(
        Step(
            "Install the CNI plugin of the mesh, which writes the rules from the node; or allow NET_ADMIN and NET_RAW in these namespaces."
        ),
        Step(
            "See which policy holds in the namespace.",
            run=(
                "kubectl",
                "get",
                "namespaces",
                "--show-labels",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://istio.io/latest/docs/setup/additional-setup/cni/",),
    ask="kubectl get namespaces --show-labels",
)
