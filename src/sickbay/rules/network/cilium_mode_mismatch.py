from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Cilium operator does not know the address mode (IPAM) that it is told to run, and ends",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?P<mode>[\w-]{2,40}) allocator is not supported by this version of (?P<operator>cilium-operator[\w-]*)",
            says="{operator} does not know the mode {mode}",
            sample='level=fatal msg="cluster-pool allocator is not supported by this version of cilium-operator-azure" subsys=cilium-operator-azure',
            near_miss='level=info msg="Starting cluster-pool allocator" subsys=cilium-operator-generic',
        ),
    ),
    why="There is an image of the operator for each way to hand out addresses: operator-azure for `ipam.mode=azure`, operator-generic for cluster-pool, multi-pool and chained plugins. The values of the chart name one mode and the image of another, so that no node gets a range for its pods.",
    remedy=(
        Step(
            "See the mode and the image.",
            run=("kubectl", "get", "configmap", "cilium-config", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Install the chart with values of one mode: on AKS with your own plugin that is `aksbyocni.enabled=true`, which takes the generic operator.",
            run=(
                "helm",
                "upgrade",
                "cilium",
                "cilium/cilium",
                "-n",
                "kube-system",
                "--reuse-values",
                "--set",
                "aksbyocni.enabled=true",
                "--set",
                "azure.enabled=false",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system -l io.cilium/app=operator wants Running",
        ),
    ),
    docs=(
        "https://docs.cilium.io/en/stable/network/concepts/ipam/",
        "https://learn.microsoft.com/azure/aks/use-byo-cni",
    ),
    leads_to=("network.cni_agent_down", "kubernetes.cni_not_ready", "kubernetes.crash_loop"),
    ask="kubectl get configmap cilium-config -n kube-system -o yaml",
)
