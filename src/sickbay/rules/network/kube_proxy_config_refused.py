from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kube-proxy configuration of the request is not accepted (Cilium data plane, IPVS or NFTABLES settings)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bCiliumDataplaneRequiresKubeProxy\w*|\bKubeProxyConfig(?:Field|Mode|Invalid|Not|Unsupported|Cannot|With)\w*",
            says="AKS refused the kube-proxy configuration",
            sample="CiliumDataplaneRequiresKubeProxyConfigDisabled: kubeProxyConfig must be disabled for clusters with the Cilium data plane",
            near_miss="kube-proxy config applied",
        ),
    ),
    why="`kubeProxyConfig` chooses the mode of kube-proxy (IPTABLES, IPVS, NFTABLES). The Cilium data plane replaces kube-proxy, so it cannot be configured there, and settings of IPVS are refused in another mode.",
    remedy=(
        Step(
            "See what the cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave out kubeProxyConfig with Cilium; send IPVS settings only with mode IPVS.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/configure-kube-proxy",),
    leads_to=("aks.operation_failed", "aks.parameter_invalid"),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
