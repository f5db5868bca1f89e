from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network plugin of a node has no free IP address for a pod (CNI, IPAM)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)Failed to allocate address: .{0,120}?No available addresses|no IP addresses available in (?:range set|network)|no available IPs?\b|AllocateIPConfig failed: not enough IPs available|IPs? (?:are )?exhausted on (?:the )?node|InsufficientSubnetSpace|failed to (?:assign|allocate) an? IP address to (?:the )?(?:container|pod)",
            says="the network plugin has no address left for a pod",
            sample='Failed create pod sandbox: rpc error: code = Unknown desc = NetworkPlugin cni failed to set up pod "cart-874857994-487td_shop" network: Failed to allocate address: Failed to delegate: Failed to allocate address: No available addresses',
            near_miss='NetworkPlugin cni failed to set up pod "cart-1_shop" network: plugin not initialized',
        ),
    ),
    why="Each pod needs an address from the plugin's IPAM store on its node; all are allocated, because the node runs its maximum of pods, the pod subnet is used up, or addresses of pods that ended were not released (a leak of the plugin, or pods made faster than garbage is collected).",
    remedy=(
        Step(
            "Compare allocated addresses with running pods on the node: many more addresses than pods is a leak.",
            run=("kubectl", "get", "pods", "-A", "--field-selector", "spec.nodeName={node}"),
            risk=Risk.READ,
        ),
        Step(
            "With dynamic allocation, see how much of the pod subnet is left.",
            run=("kubectl", "get", "nodenetworkconfigs", "-n", "kube-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Give the pods a larger subnet (a new pool with another --pod-subnet-id), or change to overlay networking.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -A shows no pod in ContainerCreating",
        ),
        Step(
            "After a leak, reimage the node.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl get nodenetworkconfigs -n kube-system -o wide",
)
