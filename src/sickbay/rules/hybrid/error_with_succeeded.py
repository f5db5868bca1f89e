from sickbay.model.hybrid import HybridCluster, ProvisionedCluster, ProvisionedClusterInstance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Step, each


def _contradicts(cluster: HybridCluster) -> Match | None:
    if not cluster.is_succeeded or not cluster.error_message:
        return None
    return Match(
        f"{cluster.name} is Succeeded and carries the error: {cluster.error_message[:200]}",
        cites=(
            cluster.cite("properties.provisioningState", cluster.provisioning_state),
            cluster.cite("properties.status.errorMessage", cluster.error_message[:200]),
        ),
    )


@each(ProvisionedCluster)
def cluster_carries_error(cluster: ProvisionedCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _contradicts(cluster)


@each(ProvisionedClusterInstance)
def instance_carries_error(cluster: ProvisionedClusterInstance, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _contradicts(cluster)


RULE = Rule(
    title="AKS hybrid error message with Succeeded beside it: a part of the cluster failed after its creation",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(cluster_carries_error, instance_carries_error),
    why="`provisioningState` ends with the Azure operation; the operators on the site go on working and write what fails into `status.errorMessage`. So a cluster that is Succeeded with an error message is not healthy.",
    remedy=(
        Step(
            "Read the whole status.",
            run=(
                "az",
                "hybridaks",
                "show",
                "-g",
                "{resource_group}",
                "--name",
                "{name}",
                "--query",
                "properties.status",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Treat what the message names; a timeout names nothing, so look at the networks of the cluster and at the pods that are not running.",
            run=("kubectl", "get", "pods", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "If the message stays, delete the cluster and create it again.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.DESTRUCTIVE,
            verify="az hybridaks show -g {resource_group} --name {name} wants an empty status.errorMessage",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("kubernetes.condition_timeout",),
)
