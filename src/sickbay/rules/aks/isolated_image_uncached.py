from sickbay.model.aks import ManagedCluster
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_ISOLATED = ("none", "block")
_NEAR = (".azurecr.io/", "mcr.microsoft.com/", ".azurecr.cn/", ".azurecr.us/")


@each(Pod)
def pulls_from_outside(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    images = [
        c.image or ""
        for c in pod.waiting
        if c.waiting and c.waiting.reason in ("ImagePullBackOff", "ErrImagePull")
    ]
    if not images:
        return None
    kinds = {
        ((c.network_profile and c.network_profile.outbound_type) or "").casefold()
        for c in snapshot.some(ManagedCluster)
    }
    if not kinds <= set(_ISOLATED):
        return Clear(f"the cluster reaches the internet by {', '.join(sorted(kinds)) or 'default'}")
    outside = [image for image in images if not any(near in image for near in _NEAR)]
    if not outside:
        return Clear(f"the images of {pod.namespace}/{pod.name} come from Azure registries")
    return Match(
        f"{pod.namespace}/{pod.name} pulls {outside[0]}, and the cluster has no way out (outboundType {min(kinds)})",
        facts={"image": outside[0]},
        cites=(pod.cite("spec.containers[*].image", outside[0]),),
    )


RULE = Rule(
    title="A network-isolated cluster pulls an image that its private registry does not hold",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(pulls_from_outside,),
    why="With outboundType none or block the nodes reach nothing outside: images of AKS come through the cache rule of the bootstrap registry, and your own must lie in a registry with a private endpoint. This image comes from elsewhere.",
    remedy=(
        Step(
            "See the cache rules of the registry.",
            run=(
                "az",
                "acr",
                "cache",
                "list",
                "--registry",
                "<registry>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Import the image into a registry with a private endpoint, and use that name.",
            run=(
                "az",
                "acr",
                "import",
                "-n",
                "<registry>",
                "--source",
                "{image}",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-network-isolated-cluster",
    ),
    leads_to=(
        "kubernetes.image_pull_failed",
        "kubernetes.registry_unreachable",
    ),
)
