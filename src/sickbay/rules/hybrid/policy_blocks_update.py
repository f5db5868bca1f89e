from sickbay.model.aks import minor
from sickbay.model.arc import ClusterExtension
from sickbay.model.hybrid import ProvisionedClusterInstance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_FIRST_MINOR = 31


@each(ProvisionedClusterInstance, TYPICAL)
def policy_is_installed(
    cluster: ProvisionedClusterInstance, snapshot: Snapshot
) -> Match | Clear | None:
    version = minor(cluster.kubernetes_version)
    if version is None or version < _FIRST_MINOR or not cluster.is_unwell:
        return None
    home = cluster.connected_cluster.casefold()
    for extension in snapshot.some(ClusterExtension):
        kind = (extension.extension_type or "").casefold()
        if kind == "microsoft.policyinsights" and extension.ref.key.startswith(f"{home}/"):
            return Match(
                f"{cluster.title} runs {cluster.kubernetes_version} with Azure Policy and is {cluster.provisioning_state}",
                facts={"cluster": cluster.title, "extension": extension.name},
                cites=(
                    extension.cite("properties.extensionType", extension.extension_type),
                    cluster.cite("properties.provisioningState", cluster.provisioning_state),
                ),
            )
    snapshot.require(ClusterExtension, cluster.connected_cluster)
    return Clear(f"{cluster.title} has no Azure Policy extension")


RULE = Rule(
    title="Azure Policy (Gatekeeper) disturbs updates of a cluster on Azure Local from Kubernetes 1.31 on",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(policy_is_installed,),
    why="From Kubernetes 1.31 on, the webhooks of Gatekeeper, which Azure Policy installs, refuse or slow down what upgrades and the rotation of certificates change in the control plane, and leave it unhealthy.",
    remedy=(
        Step(
            "See whether Gatekeeper runs, and what it refused.",
            run=("kubectl", "get", "pods", "-n", "gatekeeper-system"),
            risk=Risk.READ,
        ),
        Step(
            "Take the extension off before the upgrade or the rotation, and put it back afterwards.",
            run=(
                "az",
                "k8s-extension",
                "delete",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "--cluster-type",
                "connectedClusters",
                "--name",
                "{extension}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aksarc show -g {resource_group} -n {cluster} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/cluster-unhealthy-after-kubernetes-upgrade",
    ),
    leads_to=("hybrid.cluster_failed",),
    ask="kubectl get pods -n gatekeeper-system",
)
