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

# A creation takes the appliance up to an hour, so two that began within it ran side by side.
_SIDE_BY_SIDE = timedelta(hours=1)
_RUNNING = {"inprogress", "accepted", "created", "creating", "pending", "provisioning"}


def _is_running(cluster: ProvisionedCluster) -> bool:
    return (cluster.provisioning_state or "").casefold() in _RUNNING


def _met(one: ProvisionedCluster, other: ProvisionedCluster) -> bool:
    if not (other.is_unwell or _is_running(other)) or one.ref == other.ref:
        return False
    if one.custom_location.casefold() != other.custom_location.casefold():
        return False
    if _is_running(one) and _is_running(other):
        return True
    began, also_began = one.created_at, other.created_at
    return bool(began and also_began and abs(began - also_began) <= _SIDE_BY_SIDE)


@each(ProvisionedCluster)
def was_created_beside_others(
    cluster: ProvisionedCluster, snapshot: Snapshot
) -> Match | Clear | None:
    if not (cluster.is_unwell or _is_running(cluster)) or not cluster.custom_location:
        return None
    rivals = [other for other in snapshot.some(ProvisionedCluster) if _met(cluster, other)]
    if not rivals:
        snapshot.require(ProvisionedCluster, f"/subscriptions/{cluster.ref.subscription}")
        return Clear(f"{cluster.name} was the only one in creation on its appliance")
    together = sorted([cluster, *rivals], key=lambda one: one.ref)
    names = ", ".join(one.name for one in together)
    return Match(
        f"{names} were created at the same time on one appliance",
        facts={"clusters": names},
        cites=tuple(
            one.cite("systemData.createdAt", one.created_at or "not shown") for one in together[:4]
        ),
        weight=None if any(_is_running(one) for one in together) else TYPICAL,
    )


RULE = Rule(
    title="AKS hybrid concurrent creation: several clusters were created at once on one Arc appliance",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        was_created_beside_others,
        Signature(
            pattern=r"(?i)\b(?:parallel|concurrent(?:ly)?|simultaneous(?:ly)?|at (?:once|the same time))\b.{0,160}?\b(?:hybrid ?aks|aks ?hybrid|aks ?arc|provisioned ?clusters?)\b.{0,200}?(?:fail\w*|timed? ?out|timeout|stuck)|\b(?:hybrid ?aks|aks ?hybrid|aks ?arc|provisioned ?clusters?)\b.{0,160}?\b(?:parallel|concurrent(?:ly)?|simultaneous(?:ly)?|at (?:once|the same time))\b.{0,200}?(?:fail\w*|timed? ?out|timeout|stuck)(?P<clusters>)",
            says="several clusters were created at once",
            sample="We started three az hybridaks create in parallel, all of them timed out and are Failed",
            near_miss="We started three az hybridaks create one after the other",
            weight=TYPICAL,
        ),
    ),
    why="The Arc appliance of a Nexus instance can create only one AKS hybrid cluster at a time. Creations that run side by side time out or fail, and what they leave behind holds up the next one.",
    remedy=(
        Step(
            "See which clusters did not finish[ ({clusters})].",
            run=("az", "hybridaks", "list", "-g", "{resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete[ {clusters}, and] any other cluster that is not Succeeded and connected, one after the other: az hybridaks delete -g {resource_group} --name NAME.",
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Wait a few minutes for the appliance to settle, create one cluster, and begin the next only when it is Succeeded and Connected.",
            verify="az hybridaks show wants provisioningState Succeeded and a lastConnectivityTime before the next create",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
