from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def cannot_parse_image(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container in pod.waiting:
        if container.waiting and container.waiting.reason == "InvalidImageName":
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} has the image {container.image!r}, which is no image name",
                facts={"image": container.image or ""},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].state.waiting.reason",
                        "InvalidImageName",
                    ),
                ),
            )
    return None


RULE = Rule(
    title="The image of a container is no valid image name (InvalidImageName)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        cannot_parse_image,
        Signature(
            pattern=r'InvalidImageName|(?:[Ff]ailed to (?:pull|apply|parse|resolve)|ErrImagePull|[Ee]rror parsing) .{0,300}?invalid reference format|couldn\'t parse image (?:reference|name) "(?P<image>[^"]{0,300})"|[Ff]ailed to apply default image tag',
            says="the image name cannot be parsed",
            sample='Failed to apply default image tag "contoso.azurecr.io/Cart:v9:1": couldn\'t parse image reference "contoso.azurecr.io/Cart:v9:1": invalid reference format: repository name must be lowercase',
            near_miss='Failed to pull image "contoso.azurecr.io/cart:v9": not found',
        ),
    ),
    why="The reference has capital letters, an unfilled template variable, a blank, two tags or a protocol prefix, so that no registry is even asked.",
    remedy=(
        Step(
            "Correct the image in the workload.",
            run=(
                "kubectl",
                "set",
                "image",
                "deployment/<deployment>",
                "<container>=<image>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows no InvalidImageName",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/images/#image-names",),
    leads_to=("kubernetes.rollout_stuck",),
)
