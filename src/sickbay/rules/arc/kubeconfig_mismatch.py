from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig context belongs to another cluster than the Arc resource that is named",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:current context in the kubeconfig file|kube ?config) does not correspond to the connected cluster resource|\bAZK8S0406\b|provided cluster name and resource group name do not correspond to the kubernetes cluster",
            says="the kubeconfig does not fit the resource",
            sample="The current context in the kubeconfig file does not correspond to the connected cluster resource specified. Agents installed on this cluster correspond to the resource group name 'rg1' and resource name 'c1'.",
            near_miss="The current context in the kubeconfig file corresponds to the connected cluster resource",
        ),
    ),
    why="`az connectedk8s` acts on the cluster of the current kubeconfig context and on the named Azure resource. They are not the same cluster, or the kubeconfig is the one of cluster connect, through which a delete is not supported.",
    remedy=(
        Step(
            "See the contexts.",
            run=(
                "kubectl",
                "config",
                "get-contexts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Switch to the direct kubeconfig of the right cluster.",
            run=(
                "kubectl",
                "config",
                "use-context",
                "<context>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
    ),
)
