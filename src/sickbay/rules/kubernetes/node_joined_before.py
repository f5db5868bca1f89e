from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine is to join or begin a cluster and still carries another (kubeadm: file already exists)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\[ERROR (?:FileAvailable|DirAvailable)-\S{3,120}\]: (?P<path>/\S{3,200}) (?:already exists|is not empty)|\[ERROR Port-(?P<port>\d+)\]: Port \d+ is in use",
            says="kubeadm found remains of an earlier run: [{path}][port {port}]",
            sample="[ERROR FileAvailable--etc-kubernetes-kubelet.conf]: /etc/kubernetes/kubelet.conf already exists",
            near_miss="[WARNING Hostname]: hostname could not be reached",
        ),
    ),
    why="kubeadm begins only on a machine without a cluster: its files in /etc/kubernetes, data in /var/lib/etcd and the ports of kubelet and API server must be free. They are left by an earlier init or join, or the command was run on a node that is a member already.",
    remedy=(
        Step(
            "See whether the machine is a node already.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "If it is to begin anew, clear it (kubeadm reset, which deletes its cluster and etcd data), and run the command again.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes shows the node",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-reset/",),
    leads_to=(
        "kubernetes.control_plane_not_started",
        "kubernetes.port_in_use",
    ),
    ask="kubectl get nodes -o wide",
)
