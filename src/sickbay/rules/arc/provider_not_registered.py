from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resource provider that Arc-enabled Kubernetes needs is not registered in the subscription",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?P<provider>Microsoft\.(?:Kubernetes|KubernetesConfiguration|ExtendedLocation|HybridCompute|ResourceConnector)) provider is not registered",
            says="the provider {provider} is not registered",
            sample="Microsoft.Kubernetes provider is not registered. Please register it using 'az provider register -n 'Microsoft.Kubernetes' before running the connect command.",
            near_miss="Microsoft.Kubernetes provider is registered",
        ),
    ),
    why="Connecting a cluster needs Microsoft.Kubernetes, Microsoft.KubernetesConfiguration and, for custom locations, Microsoft.ExtendedLocation registered in the subscription.",
    remedy=(
        Step(
            "Register the provider; it takes some minutes.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "{provider}",
                "--wait",
            ),
            risk=Risk.SAFE,
            verify="az provider show -n {provider} --query registrationState wants Registered",
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
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {name} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
)
