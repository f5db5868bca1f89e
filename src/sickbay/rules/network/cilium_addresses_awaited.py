from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cilium waits for IP addresses that its operator does not give to the node",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"Waiting for IPs? (?:to become available )?in CRD-backed allocation pool|Synchronized Azure IPAM information\W{1,4}numInstances=\d+ numSubnets=0 ",
            says="the node has no addresses for its pods yet",
            sample='level=info msg="Waiting for IPs to become available in CRD-backed allocation pool" available=0 name=aks-np1-vmss000000 required=2 subsys=ipam',
            near_miss='level=info msg="All required IPs are available in CRD-backed allocation pool" available=16 required=2 subsys=ipam',
            weight=TYPICAL,
            ended_by=r"All required IPs are available in CRD-backed",
        ),
    ),
    why="In the modes azure and delegated the agent of Cilium takes its addresses from the CiliumNode of its node, which the operator (or Azure CNS) fills. The operator does not run, may not read the virtual network or change the scale set (its service principal or identity), finds no subnet, or the cluster already has an Azure CNI that hands out addresses in another way (overlay, pod subnet).",
    remedy=(
        Step(
            "See what the operator says.",
            run=("kubectl", "logs", "-n", "kube-system", "deployment/cilium-operator"),
            risk=Risk.READ,
        ),
        Step(
            "Compare the mode of Cilium with the network of the cluster.",
            run=("kubectl", "get", "configmap", "cilium-config", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Install Cilium only on a cluster without a plugin of its own (network plugin none, `aksbyocni.enabled=true`), or use Azure CNI Powered by Cilium, which AKS looks after; in the mode azure give the operator's identity the rights on network and scale sets.",
            verify="kubectl get ciliumnodes -o yaml shows addresses under spec.ipam.pool",
        ),
    ),
    docs=(
        "https://docs.cilium.io/en/stable/network/concepts/ipam/azure/",
        "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium",
    ),
    leads_to=("network.cni_agent_down", "kubernetes.cni_not_ready"),
    ask="kubectl logs -n kube-system deployment/cilium-operator",
)
