from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.kubernetes import Pod
from sickbay.model.registries import waits_for
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Pod)
def names_no_secret(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if waits_for(pod) is None or not pod.spec.image_pull_secrets:
        return None
    for secret in pod.spec.image_pull_secrets:
        name = secret.name or ""
        if snapshot.get(kube("Secret", pod.namespace, name), Secret) is None:
            return Match(
                f"{pod.namespace}/{pod.name} waits for its image, and its pull secret {name} does not exist",
                facts={"secret": name},
                cites=(pod.cite("spec.imagePullSecrets", name),),
            )
    return Clear(f"the pull secrets of {pod.namespace}/{pod.name} exist")


RULE = Rule(
    title="An image pull secret that a pod names does not exist",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        names_no_secret,
        Signature(
            pattern=r"(?i)Unable to retrieve some image pull secrets \((?P<secret>[\w., -]+)\)|FailedToRetrieveImagePullSecret",
            says="the pull secret of a pod is not found",
            sample="Warning  FailedToRetrieveImagePullSecret  3s (x4 over 40s)  kubelet  Unable to retrieve some image pull secrets (acr-secret); attempting to pull the image may not succeed.",
            near_miss="Normal  Pulled  3s  kubelet  Successfully pulled image",
            # An image that is public, on the node, or pulled by the identity of the node needs none.
            weight=TYPICAL,
            ended_by=r"Successfully pulled image",
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
