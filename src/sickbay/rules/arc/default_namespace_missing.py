from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The namespace of the kubeconfig context does not exist in the cluster that is to be connected (AZK8S0203)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0203\b|DefaultNamespaceNotFound|default namespace (?:'?[\w.-]{0,63}'? )?(?:defined in the kubeconfig )?(?:doesn't|does not) exist on the kubernetes cluster",
            says="the namespace of the context does not exist",
            sample="The default namespace 'team-a' defined in the kubeconfig doesn't exist on the kubernetes cluster.",
            near_miss="The default namespace defined in the kubeconfig exists on the kubernetes cluster",
        ),
    ),
    why="The context of the kubeconfig names a default namespace, and Helm works in it. az connectedk8s checks that it exists before it installs the agents.",
    remedy=(
        Step(
            "Point the context at a namespace that exists.",
            run=(
                "kubectl",
                "config",
                "set-context",
                "--current",
                "--namespace=default",
            ),
            risk=Risk.SAFE,
            verify="kubectl get ns default",
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
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
)
