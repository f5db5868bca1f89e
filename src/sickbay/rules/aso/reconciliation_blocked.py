from sickbay.model.aso import AsoObject
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


@each(AsoObject)
def azure_is_in_transition(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason != "ReconciliationBlocked":
        return None
    for one in (thing, thing.owner_in(snapshot)):
        if one is not None and one.is_in_transition:
            state = one.status.azure_state
            return Match(
                f"{one.object_kind} {one.name} is in state {state} in Azure, so ASO does not send {thing.object_kind} {thing.name}",
                facts={"thing": f"{one.object_kind} {one.name}", "state": state},
                cites=(one.cite("status.provisioningState", state),),
            )
    return Clear(f"neither {thing.name} nor its owner is in a transient state")


RULE = Rule(
    title="ASO holds back a change until the Azure resource leaves its transient state (ReconciliationBlocked)",
    severity=Severity.WARNING,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(
        azure_is_in_transition,
        Signature(
            pattern=r'(?P<thing>Managed cluster agent pool|Managed cluster(?: "[^"]{1,63}")?|Flexible Server|Owning FlexibleServer|Owning CassandraCluster|Owning cluster|\bCluster) is in (?:provisioning )?state "(?P<state>\w+)"',
            says="{thing} is in state {state}",
            sample='res1 False Warning ReconciliationBlocked Managed cluster "aks1" is in provisioning state "Updating"',
            near_miss='Managed cluster "aks1" reached provisioning state "Succeeded"',
            passes=True,
        ),
        Signature(
            pattern=r"reconcile blocked while account is at status (?P<state>deleting)|Extension recommended blocking reconciliation|Reason: ReconciliationBlocked, Severity",
            says="ASO blocks the reconciliation of an object",
            sample="Reason: ReconciliationBlocked, Severity: Warning, RetryClassification: RetrySlow, Cause: reconcile blocked while account is at status deleting",
            near_miss="Reason: Reconciling, Severity: Info, RetryClassification: RetrySlow, Cause: The resource is in the process of being reconciled by the operator",
            passes=True,
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ |\b[Rr]eason(?::| =) \"?)ReconciliationBlocked\b(?P<thing>)(?P<state>)",
            says="ASO holds the change back",
            sample="aks1 False Warning ReconciliationBlocked Managed cl",
            near_miss="aks1 True Succeeded",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Azure refuses a PUT while a cluster, pool or server is Creating, Updating, Starting, Stopping or Upgrading, so ASO waits for a stable provisioning state (Succeeded, Failed, Canceled; Ready for PostgreSQL). The wait ends by itself unless the operation in Azure hangs.",
    remedy=(
        Step(
            "See which operation runs on the resource and since when.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait: ASO goes on by itself. If the state does not change for longer than an hour, end or repair the operation in Azure (for AKS: az aks operation-abort).",
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.not_ready",),
    ask="az monitor activity-log list --resource-group {resource_group} --offset 1d -o table",
)
