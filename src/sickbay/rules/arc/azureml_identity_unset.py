from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure Machine Learning extension has no identity of its own, so deployments get none",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"\bRefreshExtensionIdentityNotSet\b|Failed to create Kubernetes deployment identity",
            says="the identity of the extension is not set",
            sample="DeploymentIdentityError: Failed to create Kubernetes deployment identity, Reason:RefreshExtensionIdentityNotSet",
            near_miss="Created the Kubernetes deployment identity",
        ),
    ),
    why="A deployment signs in through the identity that the extension got when it was installed. It stays unset when the extension was installed without one, when its identity was deleted, or when something else in the cluster (aad-pod-identity, NMI) answers the token requests of its identity controller.",
    remedy=(
        Step(
            "See which identity the extension has.",
            run=(
                "az",
                "k8s-extension",
                "show",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "<extension>",
                "--query",
                "[identity,aksAssignedIdentity]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether pod identity runs in the cluster, and take it away or make an exception for namespace azureml.",
            run=("kubectl", "get", "daemonset", "nmi", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the extension, create it again, and deploy once more.",
            risk=Risk.DISRUPTIVE,
            verify="az k8s-extension show names a principalId",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/machine-learning/how-to-troubleshoot-kubernetes-compute",
    ),
    ask="az k8s-extension show",
)
