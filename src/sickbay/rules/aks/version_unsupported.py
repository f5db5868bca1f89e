from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Kubernetes version is not offered in this region (K8sVersionNotSupported)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:AgentPool)?K8sVersionNotSupported\b|is on version (?P<version>[\d.]+),? which is not supported in this region|version '?(?P<other>\d[\d.]+)'? is not supported in this region|orchestrator ?version '?[\w.]+'? is not (?:supported|valid)",
            says="the Kubernetes version is not supported here",
            sample="K8sVersionNotSupported: Managed cluster shop is on version 1.25.6, which is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this region.",
            near_miss="Managed cluster shop is on version 1.31.2, which is supported in this region",
        ),
    ),
    why="AKS offers three minor versions in a region, and drops the patches of a version that is out of support. An operation that names a version outside that list, or that starts from one, is refused.",
    remedy=(
        Step(
            "See which versions the region offers.",
            run=("az", "aks", "get-versions", "-l", "{location}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Name a version of the list; a cluster that is out of support moves to the oldest one that is offered.",
            run=(
                "az",
                "aks",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--kubernetes-version",
                "<version>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query currentKubernetesVersion wants the version",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aks-upgrade-blocked",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks get-versions -l {location} -o json",
)
