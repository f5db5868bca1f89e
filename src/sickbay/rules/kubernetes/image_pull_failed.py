from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod, SYMPTOM)
def waits_for_image(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container in pod.waiting:
        waiting = container.waiting
        if waiting and waiting.reason in {"ImagePullBackOff", "ErrImagePull"}:
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} waits for its image {container.image or ''}".rstrip(),
                facts={"image": container.image or ""},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].state.waiting.reason",
                        waiting.reason,
                    ),
                ),
            )
    return None


RULE = Rule(
    title="The image of a container cannot be pulled (ImagePullBackOff)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        waits_for_image,
        Signature(
            pattern=r"ImagePullBackOff|ErrImagePull\b|[Bb]ack-off pulling image|[Ff]ailed to pull (?:and unpack )?image|received unexpected HTTP status: \d{3}|unexpected status code https?://\S{1,300}/(?:manifests|blobs)/",
            says="an image could not be pulled",
            sample='Warning  Failed  12s  kubelet  Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = unexpected end',
            near_miss='Normal  Pulled  12s  kubelet  Successfully pulled image "contoso.azurecr.io/cart:v9" in 2.1s',
            weight=SYMPTOM,
        ),
    ),
    why="The node could not fetch the image from its registry: the reference, the permission or the way to the registry is wrong, and the reason is the last part of the message of the first failed pull.",
    remedy=(
        Step(
            "Read the message of the failed pull.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "See whether the nodes may and can pull from the registry.",
            run=(
                "az",
                "aks",
                "check-acr",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--acr",
                "<registry>.azurecr.io",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://kubernetes.io/docs/concepts/containers/images/",
    ),
    leads_to=(
        "kubernetes.pdb_blocks_drain",
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.release_gave_up",
        "kubernetes.container_not_running",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "kubernetes.served_api_down",
    ),
)
