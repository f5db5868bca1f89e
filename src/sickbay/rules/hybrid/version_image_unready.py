from sickbay.model.hybrid import KubernetesVersions, ProvisionedClusterInstance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_WINDOWS = "windows"


@each(ProvisionedClusterInstance)
def version_is_not_ready(
    cluster: ProvisionedClusterInstance, snapshot: Snapshot
) -> Match | Clear | None:
    wanted = cluster.kubernetes_version
    if not wanted or cluster.is_succeeded:
        return None
    lists = snapshot.some(KubernetesVersions)
    here = cluster.custom_location.casefold()
    for versions in lists:
        if here and versions.home.casefold() != here:
            continue
        states = [
            one for one in versions.readiness(wanted) if (one.os_type or "").casefold() != _WINDOWS
        ]
        unready = [one for one in states if one.ready is False]
        if states and len(unready) == len(states):
            error = unready[0].error_message
            return Match(
                f"{cluster.title} wants Kubernetes {wanted}, which is not ready here"
                + (f": {error[:160]}" if error else ""),
                facts={"version": wanted},
                cites=(versions.cite(f"properties.values.{wanted}.readiness.ready", "false"),),
            )
        if states:
            return Clear(f"Kubernetes {wanted} is ready for {cluster.title}")
    return None


RULE = Rule(
    title="A cluster asks for a Kubernetes version whose node image is not ready at its custom location",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(version_is_not_ready,),
    why="AKS enabled by Arc keeps a VHD for each Kubernetes version and OS. While the list of versions says ready false, the image is still being downloaded (4 to 5 GB), or its download failed, and a cluster of that version cannot be made.",
    remedy=(
        Step(
            "See which versions are ready, and what went wrong with this one.",
            run=("az", "aksarc", "get-versions", "--custom-location", "<custom-location-id>"),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the download of {version}, or create the cluster with a version that is ready.",
            verify="az aksarc get-versions wants ready true for {version}",
        ),
        Step(
            "On release 2408 or older, or after a new deployment, delete kubernetesVersions/default of the custom location and list the versions again.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/cluster-k8s-version",),
    leads_to=("hybrid.cluster_failed", "arc.kubernetes_version_unready"),
)
