from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An image pull secret that a pod names does not exist",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to retrieve some image pull secrets \((?P<secret>[\w., -]+)\)|FailedToRetrieveImagePullSecret",
            says="the pull secret of a pod is not found",
            sample="Warning  FailedToRetrieveImagePullSecret  3s (x4 over 40s)  kubelet  Unable to retrieve some image pull secrets (acr-secret); attempting to pull the image may not succeed.",
            near_miss="Normal  Pulled  3s  kubelet  Successfully pulled image",
            # An image that is public, on the node, or pulled by the identity of the node needs none.
            weight=TYPICAL,
        ),
    ),
    why="imagePullSecrets names a secret that is not in the namespace of the pod; secrets do not reach across namespaces, so the image is pulled without credentials and a private registry refuses.",
    remedy=(
        Step(
            "See the secrets of the namespace.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "{namespace}",
                "--field-selector",
                "type=kubernetes.io/dockerconfigjson",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret in that namespace.",
            run=(
                "kubectl",
                "create",
                "secret",
                "docker-registry",
                "{secret}",
                "-n",
                "{namespace}",
                "--docker-server=<registry>",
                "--docker-username=<user>",
                "--docker-password=<password>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or, for an Azure registry, attach it to the cluster and leave the secret out.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--attach-acr",
                "<registry>",
            ),
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/",
        "https://learn.microsoft.com/azure/aks/cluster-container-registry-integration",
    ),
    leads_to=(
        "kubernetes.registry_unauthorised",
        "kubernetes.image_pull_failed",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
