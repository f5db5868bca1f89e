from sickbay.model.aso import RECONCILE_POLICY, AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def is_left_alone(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    if thing.policy not in {"skip", "detach-on-delete"}:
        return None
    return Match(
        f"the reconcile-policy of {thing.object_kind} {thing.name} is {thing.policy}",
        cites=(thing.cite(f"metadata.annotations.{RECONCILE_POLICY}", thing.policy),),
    )


RULE = Rule(
    title="ASO leaves a resource alone because its reconcile-policy says skip",
    severity=Severity.INFO,
    categories=(Category.CREATION,),
    detect=(
        is_left_alone,
        Signature(
            pattern=r"Skipping (?:creation/update|update|delete|deletion) of resource due to policy|Bypassing delete of resource due to policy",
            says="ASO skips a resource by policy",
            sample='"Skipping creation/update of resource due to policy" logger="storage_storageaccount" name="sa1" namespace="default" policy="skip"',
            near_miss='"Starting creation/update of resource" logger="storage_storageaccount" name="sa1"',
        ),
    ),
    why="With the annotation serviceoperator.azure.com/reconcile-policy set to skip (or detach-on-delete, at deletion) ASO only reads from Azure. Changes of the spec and deletions do not reach Azure, and drift is expected.",
    remedy=(
        Step(
            "When ASO should manage the resource again, remove the annotation serviceoperator.azure.com/reconcile-policy from the object, or from its namespace.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get azure -n {namespace} wants READY True and the spec shows in Azure",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/annotations/",),
)
