from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node has no IP address in Kubernetes (only its name), so pods on it and kubectl logs fail",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"host IP unknown; known addresses: \[|no preferred addresses found; known addresses: \[|[Uu]nable to get node address[^.]{0,60}?: no (?:IP|address)",
            says="the node has no internal IP address",
            sample="Error: host IP unknown; known addresses: [{Hostname aks-np1-40179180-1}]",
            near_miss="known addresses: [{InternalIP 10.224.0.4} {Hostname aks-np1-40179180-1}]",
        ),
    ),
    why="The addresses of a node come from Azure: the cloud node manager (or the kubelet) asks the metadata service (169.254.169.254) or Resource Manager for them. While that fails, because the service is not reached, a call is throttled or the identity lacks a right, the node keeps only its name; a pod that wants the address of its host, and the API server on its way to the kubelet, have nothing to use.",
    remedy=(
        Step(
            "See which nodes have no address.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See why: the cloud node manager of that node says it.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=cloud-node-manager",
                "--tail=50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let nothing (network policy, proxy, route) stand before 169.254.169.254, then restart the node; where it comes back the same, reimage it.",
            verify="kubectl get nodes -o wide shows INTERNAL-IP for every node",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service",),
    ask="kubectl get nodes -o wide",
)
