from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node was given no pod CIDR, so its network plugin cannot start",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)node \"?(?P<node>[\w.-]+)\"? pod cidr not assigned|[Nn]ode\.?spec\.?podCIDRs? (?:is )?(?:not assigned|not set|empty)|no podcidrs? (?:found|assigned|set) (?:for|to|on) node|node has no PodCIDR|range to allocate.{0,60}?usePodCIDR",
            says="a node has no pod CIDR",
            sample='E0308 21:58:19.123 main.go:332] Error registering network: failed to acquire lease: node "worker-1" pod cidr not assigned',
            near_miss='I0308 21:58:19.123 main.go:332] node "worker-1" pod cidr assigned 10.244.1.0/24',
        ),
        Signature(
            pattern=r"required IPv[46] PodCIDR not available",
            says="the agent of Cilium waits for the pod CIDR of its node",
            sample='level=warning msg="Waiting for k8s node information" error="required IPv4 PodCIDR not available" subsys=k8s',
            near_miss='level=info msg="Received own node information from API server" ipv4Prefix=10.244.1.0/24 subsys=k8s',
            weight=TYPICAL,
            passes=True,
            ended_by=r"Received own node information",
        ),
    ),
    why="Flannel, kubenet and plugins with host-local addresses take the range of a node's pods from spec.podCIDR, which the controller manager fills in only when it runs with --allocate-node-cidrs and a --cluster-cidr (kubeadm init --pod-network-cidr) that still has room. Without it the plugin's pod fails and the node stays NotReady.",
    remedy=(
        Step(
            "See which nodes have a range.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "custom-columns=NAME:.metadata.name,CIDR:.spec.podCIDR",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the controller manager --allocate-node-cidrs=true and a --cluster-cidr that equals the network of the plugin's configuration and is large enough, then restart the plugin's pods.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants STATUS Ready",
        ),
    ),
    docs=(
        "https://github.com/flannel-io/flannel/blob/master/Documentation/troubleshooting.md",
        "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/",
    ),
    leads_to=("kubernetes.cni_not_ready", "kubernetes.container_creating_stuck"),
    ask="kubectl get nodes -o json",
)
