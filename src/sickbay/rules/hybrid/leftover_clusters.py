from datetime import timedelta

from sickbay.model.hybrid import ProvisionedCluster
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

# What began within the same hour ran side by side, and is told as that.
_APART = timedelta(hours=1)
_RUNNING = {"inprogress", "accepted", "created", "creating", "pending"}


def _is_open(cluster: ProvisionedCluster) -> bool:
    return cluster.is_unwell or (cluster.provisioning_state or "").casefold() in _RUNNING


def _was_left(one: ProvisionedCluster, other: ProvisionedCluster) -> bool:
    """Whether the other failed on the same appliance well before this one began."""
    began, also = one.created_at, other.created_at
    return bool(
        other.is_unwell
        and other.ref != one.ref
        and other.custom_location.casefold() == one.custom_location.casefold()
        and began
        and also
        and began - also > _APART
    )


@each(ProvisionedCluster, TYPICAL)
def earlier_attempt_remains(
    cluster: ProvisionedCluster, snapshot: Snapshot
) -> Match | Clear | None:
    if not _is_open(cluster) or not cluster.custom_location or cluster.created_at is None:
        return None
    left = [other for other in snapshot.some(ProvisionedCluster) if _was_left(cluster, other)]
    if not left:
        snapshot.require(ProvisionedCluster, f"/subscriptions/{cluster.ref.subscription}")
        return Clear(f"no failed cluster was left when {cluster.name} was created")
    names = ", ".join(one.name for one in sorted(left, key=lambda one: one.ref))
    return Match(
        f"{cluster.name} was created while {names} lay failed on the same appliance",
        facts={"left": names, "first": min(left, key=lambda one: one.ref).name},
        cites=tuple(
            one.cite("properties.provisioningState", one.provisioning_state) for one in left[:3]
        ),
    )


RULE = Rule(
    title="Failed AKS hybrid clusters of earlier attempts were left on the appliance and hold up new ones",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        earlier_attempt_remains,
        Signature(
            pattern=r"(?i)\b(?:old|earlier|previous|failed|leftover|partial)\b.{0,80}?\b(?:hybrid ?aks|aks ?hybrid|provisioned) ?clusters?\b.{0,240}?\b(?:until|unless|before|as long as)\b.{0,40}?(?:delet|remov|clean)\w*(?P<left>)(?P<first>)",
            says="failed clusters of earlier attempts hold up new ones",
            sample="Two failed AKS hybrid clusters are still there and each new creation times out until we delete them",
            near_miss="Two AKS hybrid clusters are there and each new creation succeeds",
            weight=TYPICAL,
        ),
    ),
    why="A cluster that failed, or came up only in part, leaves objects behind on the Arc appliance, which its operators go on reconciling. Until all of them are deleted, a new creation can time out or fail too.",
    remedy=(
        Step(
            "See which clusters are not Succeeded.",
            run=("az", "hybridaks", "list", "-g", "{resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete each of them, beginning with the oldest: {left}.",
            run=("az", "hybridaks", "delete", "-g", "{resource_group}", "--name", "{first}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Wait a few minutes for the appliance to settle, then create one cluster.",
            verify="az hybridaks show -g {resource_group} --name {name} wants provisioningState Succeeded and a lastConnectivityTime",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_failed",),
    ask="az monitor activity-log list --resource-id {subject} --query [].properties.statusMessage -o tsv",
)
