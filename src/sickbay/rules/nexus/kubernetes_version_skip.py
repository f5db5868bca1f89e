from sickbay.model.aks import minor
from sickbay.model.nexus import NexusKubernetesCluster
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


@each(NexusKubernetesCluster)
def skips_a_minor(cluster: NexusKubernetesCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    wanted, running = cluster.kubernetes_version, cluster.control_plane_kubernetes_version
    to, at = minor(wanted), minor(running)
    if to is None or at is None:
        return None
    if to - at <= 1:
        return Clear(f"{cluster.name} runs {running} and wants {wanted}")
    offered = [one.version for one in cluster.available_upgrades or () if one.version]
    return Match(
        f"{cluster.name} runs {running} and wants {wanted}, which skips {to - at - 1} minor version(s)",
        facts={"version": wanted or "", "offered": ", ".join(offered) or "none"},
        cites=(
            cluster.cite("properties.kubernetesVersion", wanted),
            cluster.cite("properties.controlPlaneKubernetesVersion", running),
        ),
    )


RULE = Rule(
    title="A Nexus Kubernetes cluster was to skip a minor version, or go to one that is not offered",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        skips_a_minor,
        Signature(
            pattern=r"(?i)kubernetes ?version '?(?P<version>v?\d[\w.-]*)'?.{0,120}?not (?:in|among|one of|part of|found in) .{0,40}?available ?upgrades(?P<offered>)",
            says="version {version} is not among the available upgrades",
            sample="Kubernetes cluster update refused: kubernetesVersion v1.31.4 is not in the availableUpgrades of the cluster.",
            near_miss="Kubernetes cluster update accepted: kubernetesVersion v1.31.4 is in the availableUpgrades of the cluster.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:minor versions?|kubernetes versions?)\b[\w .]{0,40}?(?:can(?:'t|not| not)|must not|may not|should not) be skipped|(?:can(?:'t|not)|must not|may not|not allowed to) skip (?:an? |more than one |over )?(?:kubernetes )?minor versions?|\b(?:networkcloud|nexus|naks|kubernetesclusters?)\b.{0,300}?only one minor version (?:can be |may be |is )?(?:upgraded|allowed|supported)?\b.{0,20}?at a time|skipping (?:kubernetes )?(?:minor )?versions? (?:is|are) not (?:supported|allowed)(?P<version>)(?P<offered>)",
            says="a minor version was to be skipped",
            sample="kubernetesClusters/naks1: upgrade from v1.27.9-3 to v1.30.3-1 is not allowed: minor versions can't be skipped",
            near_miss="kubernetesClusters/naks1: upgrade from v1.27.9-3 to v1.28.9-1 is allowed",
            unless=r"(?i)managedClusters|az aks\b",
            weight=TYPICAL,
        ),
    ),
    why="Kubernetes goes up one minor version at a time: the control plane and the nodes may not be further apart. Nexus takes only versions that availableUpgrades of the cluster lists.",
    remedy=(
        Step(
            "See the versions that are offered.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "{current:controlPlaneKubernetesVersion,available:availableUpgrades[].version}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade to the next minor version first[ (offered: {offered})], then on to {version}.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud kubernetescluster show -g {resource_group} -n {name} wants the new controlPlaneKubernetesVersion",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-cluster-upgrade",),
    leads_to=("nexus.kubernetes_cluster_failed",),
)
