from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource bridge cannot reach the new cluster: kube-apiserver, control plane IP or VM IP is unreachable",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Failed to either reach kube-apiserver or control plane IP|aks-arc-kubeapiserver-unreachable|\bVMNotReachableError\b|VM IP ?: ?\S{0,60} is not reachable from management cluster",
            says="the bridge does not reach the cluster",
            sample="VMNotReachableError: VM IP : 10.1.2.9 is not reachable from management cluster",
            near_miss="VM IP : 10.1.2.9 is reachable from management cluster",
        ),
    ),
    why="The bridge (the management cluster) drives AKS clusters over their control plane IP (6443) and the IPs of their VMs (22, 6443). Logical networks in another VLAN without a route, or a firewall between them, make VMNotReachableError and the kube-apiserver unreachable.",
    remedy=(
        Step(
            "Try the port from the network of the bridge.",
            run=(
                "Test-NetConnection",
                "<control-plane-ip>",
                "-Port",
                "6443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the networks of the bridge and of the logical network (VLAN) reach each other on 22 and 6443, both ways.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-hci-network-system-requirements",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",
    ),
)
