from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The CLI cannot reach the Kubernetes cluster of the kubeconfig",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S020[0128]\b|Unable to verify connectivity to the Kubernetes cluster|Problem loading the kubeconfig file|Invalid kube-config file|No such file or directory: '[^']{0,200}\.kube[\\/]{1,4}config|connectedk8s.{0,200}?Unable to connect to the (?:kubernetes )?cluster|\bAZK8S(?:020[45]|0505|0509)\b|Helm list release failed|Error while (?:getting the helm values in the azure-arc namespace|fetching details from kubeconfig)|Kube(?:configLoad|rnetesConnectivity|rnetesConfigurationLoad)Failed|HelmReleaseListFailed",
            says="the Kubernetes cluster is not reached",
            sample="Unable to verify connectivity to the Kubernetes cluster. Please check https://learn.microsoft.com/en-us/azure/azure-arc/kubernetes/diagnose-connection-issues",
            near_miss="Verified connectivity to the Kubernetes cluster",
        ),
    ),
    why="`az connectedk8s` needs a working kubeconfig: the API server it names does not answer from this machine, the proxy catches the call (NO_PROXY), or the file cannot be read.",
    remedy=(
        Step(
            "See whether the cluster answers.",
            run=(
                "kubectl",
                "cluster-info",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair the kubeconfig or the way to the API server, and exempt its address from the proxy (NO_PROXY).",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
)
