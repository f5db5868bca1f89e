from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node lacks a program that Kubernetes calls on it (socat for port-forward, conntrack for kube-proxy)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"unable to do port forwarding: (?P<tool>socat|nsenter) not found|\[ERROR FileExisting-(?P<checked>[\w-]{2,30})\]: |[Ee]rror looking for path of (?P<sought>conntrack)",
            says="a node does not have the program [{tool}][{checked}][{sought}]",
            sample="E1003 15:41:30 portforward.go:400] an error occurred forwarding 8080 -> 3000: error forwarding port 3000 to pod 1db44e20, uid : unable to do port forwarding: socat not found",
            near_miss="[WARNING FileExisting-tc]: tc not found in system path",
        ),
    ),
    why="Kubelet, kube-proxy and kubeadm call a few programs of the node itself. Older runtimes forward ports with socat, kube-proxy before 1.32 clears stale connections with conntrack, and kubeadm does not begin without them; a slim or hand-made node image often leaves them out.",
    remedy=(
        Step(
            "See which nodes have which image and runtime.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Install the package on every node and in its image (socat; conntrack or conntrack-tools).",
            risk=Risk.SAFE,
            verify="the command or the join goes through",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/install-kubeadm/",
        "https://kubernetes.io/docs/tasks/access-application-cluster/port-forward-access-application-cluster/",
    ),
    leads_to=(
        "kubernetes.kube_proxy_down",
        "kubernetes.control_plane_not_started",
    ),
    ask="kubectl get nodes -o wide",
)
