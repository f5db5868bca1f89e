from sickbay.model.hybrid import (
    HybridAgentPool,
    HybridCluster,
    HybridInstancePool,
    ProvisionedCluster,
    ProvisionedClusterInstance,
)
from sickbay.model.nexus import NexusEntity
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


def _failed(cluster: HybridCluster) -> Match | None:
    if not cluster.is_unwell:
        return None
    error = (
        cluster.status.provisioning_status.error
        if cluster.status and cluster.status.provisioning_status
        else None
    )
    reason = (error and (error.code or error.message)) or cluster.error_message
    # Every instance is called default; what it is known by is its connected cluster.
    name = cluster.title if isinstance(cluster, ProvisionedClusterInstance) else cluster.name
    return Match(
        f"{name} is in provisioning state {cluster.provisioning_state}"
        + (f": {reason[:200]}" if reason else ", without a reason"),
        cites=(cluster.cite("properties.provisioningState", cluster.provisioning_state),),
    )


@each(ProvisionedCluster, SYMPTOM)
def cluster_is_failed(cluster: ProvisionedCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(cluster)


@each(ProvisionedClusterInstance, SYMPTOM)
def instance_is_failed(cluster: ProvisionedClusterInstance, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(cluster)


def _pool_failed(pool: NexusEntity) -> Match | None:
    if not pool.is_unwell:
        return None
    return Match(
        f"pool {pool.name} is in provisioning state {pool.provisioning_state}",
        cites=(pool.cite("properties.provisioningState", pool.provisioning_state),),
    )


@each(HybridAgentPool, SYMPTOM)
def pool_is_failed(pool: HybridAgentPool, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _pool_failed(pool)


@each(HybridInstancePool, SYMPTOM)
def instance_pool_is_failed(pool: HybridInstancePool, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _pool_failed(pool)


RULE = Rule(
    title="AKS hybrid provisioning failed: the cluster or one of its pools ended in state Failed",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        cluster_is_failed,
        instance_is_failed,
        pool_is_failed,
        instance_pool_is_failed,
        Signature(
            pattern=r"(?i)\bprovisioning ?state\b\W{0,4}(?:is |as |of )?\W{0,2}Failed\b.{0,200}?\b(?:hybrid ?aks|aks ?hybrid|aks ?arc|az aksarc|AKS on Azure (?:Stack HCI|Local))\b|\b(?:hybrid ?aks|aks ?hybrid|aks ?arc|az aksarc|AKS on Azure (?:Stack HCI|Local))\b.{0,200}?\bprovisioning ?state\b\W{0,4}(?:is |as |of )?\W{0,2}Failed\b",
            says="the cluster is in provisioning state Failed",
            sample="Our AKS hybrid cluster shows Provisioning State as 'Failed' and its status is Connecting",
            near_miss="Our AKS hybrid cluster shows Provisioning State as 'Succeeded' and its status is Connected",
            unless=r"(?i)terminal provisioning state",
            weight=SYMPTOM,
        ),
    ),
    why="The cluster reached a terminal state before its nodes and agents were up. The reason lies in its provisioning status, in the activity log, or in the chain of networks below it: hybrid network, network of the site, isolation domain, fabric.",
    remedy=(
        Step(
            "Read the reason that Azure kept of the last operation.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Follow the networks from the fabric up, and repair the first that is not Succeeded and Enabled.",
            run=("az", "networkcloud", "defaultcninetwork", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the failed cluster, wait a few minutes, and create it again.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{name}"),
            risk=Risk.DESTRUCTIVE,
            verify="az hybridaks show -g {resource_group} --name {name} wants provisioningState Succeeded and a lastConnectivityTime",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("aks.operation_failed", "kubernetes.condition_timeout"),
)
