from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network plugin of a node has no free IP address for a pod (CNI, IPAM)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)Failed to allocate (?:address|pool): .{0,120}?No available address|no IP addresses available in (?:range set|network)|failed to allocate for range \d+|no available IPs?\b|\bNo IPs available\b|AllocateIPConfig failed: not enough IPs available|not enough IPs available of type \w+ for\b|\bIPs? (?:addresses )?(?:are |is )?exhausted|InsufficientSubnetSpace|failed to (?:assign|allocate) an? IP address to (?:the )?(?:container|pod)|\[azure-vnet-ipam\] Failed to allocate|postIpamFailure .{0,40}?range is full|unable to allocate IP via local cilium agent|Assigned 0 out of \d+ requested IPv[46] addresses|no configured Calico pools|[Uu]nable to autoassign an address|waiting on Azure CNS to allocated? more|No more free IP's available|[Nn]o more IPs? available|Requested IP not found in pool|no (?:more )?free (?:IP )?address(?:es)? (?:available )?(?:in|for) (?:the )?(?:pool|range|subnet)|\bno available address\b",
            says="the network plugin has no address left for a pod",
            sample='Failed create pod sandbox: rpc error: code = Unknown desc = NetworkPlugin cni failed to set up pod "cart-874857994-487td_shop" network: Failed to allocate address: Failed to delegate: Failed to allocate address: No available addresses',
            near_miss='NetworkPlugin cni failed to set up pod "cart-1_shop" network: plugin not initialized',
            weight=SYMPTOM,
        ),
    ),
    why="Each pod needs an address from the plugin's IPAM store on its node, and all are given out: to sandboxes that no longer exist (a leak of the plugin), to sandboxes that have exited (pods made faster than garbage is collected), or to pods that run (the range of the node or the pod subnet is too small). The entries of the store against the sandboxes of the node tell which.",
    remedy=(
        Step(
            "List the entries of the IPAM store: each file is an address, its content the sandbox.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "grep",
                "-r",
                ".",
                "/host/var/lib/cni/networks",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "List the sandboxes of the node: entries without one are a leak, entries of exited ones wait for garbage collection.",
            run=("crictl", "pods", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "With dynamic allocation, see how much of the pod subnet is left.",
            run=("kubectl", "get", "nodenetworkconfigs", "-n", "kube-system", "-o", "wide"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
)
