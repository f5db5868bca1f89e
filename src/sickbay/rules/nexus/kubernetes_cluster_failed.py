from sickbay.model.nexus import (
    NexusAgentPool,
    NexusEntity,
    NexusFeature,
    NexusKubernetesCluster,
    same_word,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


def _failed(entity: NexusEntity) -> Match | None:
    if not entity.is_unwell and not same_word(entity.detailed_status, "Error"):
        return None
    reason = entity.detailed_status_message
    return Match(
        f"{entity.name} is {entity.provisioning_state} ({entity.detailed_status or 'no detailed status'})"
        + (f": {reason[:200]}" if reason else ""),
        cites=(entity.cite("properties.provisioningState", entity.provisioning_state),),
    )


@each(NexusKubernetesCluster, SYMPTOM)
def cluster_is_failed(cluster: NexusKubernetesCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(cluster)


@each(NexusAgentPool, SYMPTOM)
def pool_is_failed(pool: NexusAgentPool, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(pool)


@each(NexusFeature, SYMPTOM)
def feature_is_failed(feature: NexusFeature, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(feature)


RULE = Rule(
    title="A Nexus Kubernetes cluster, one of its agent pools or features is Failed",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        cluster_is_failed,
        pool_is_failed,
        feature_is_failed,
        # A row of `az networkcloud kubernetescluster list -o table` without its command.
        Signature(
            pattern=r"(?i)\bFailed Error\b.{0,120}?\b(?:agent ?pool|control ?plane) ?nodes?\b",
            says="a Nexus Kubernetes cluster is Failed: nodes are missing",
            sample="naks-core edge-rg Failed Error Timed out waiting for 2 of 5 agent pool nodes to be Ready southcentralus",
            near_miss="naks-core edge-rg Succeeded Available Cluster is operational and ready southcentralus",
            weight=SYMPTOM,
        ),
    ),
    why="Nexus builds the cluster from virtual machines on the bare-metal machines of the site; its state is Failed when they did not all become nodes in time. The detailed status message tells how far it came.",
    remedy=(
        Step(
            "Read how far it came.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{subject}",
                "--query",
                "properties.detailedStatusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look at the machines that could carry the nodes.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the cause, then delete the cluster and create it again.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-cluster-agent-pools",),
    leads_to=("kubernetes.condition_timeout",),
)
