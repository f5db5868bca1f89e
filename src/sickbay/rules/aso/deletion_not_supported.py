from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def azure_has_no_delete(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason != "DeletionNotSupportedInAzure":
        return None
    return Match(
        f"{thing.object_kind} {thing.name} is to be deleted since {thing.metadata.deletion_timestamp}, and Azure has no delete for it",
        cites=(thing.cite("status.conditions[type=Ready].reason", trouble.reason),),
    )


RULE = Rule(
    title="An ASO object cannot be deleted: Azure has no delete for this type (DeletionNotSupportedInAzure)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        azure_has_no_delete,
        Signature(
            pattern=r"Resource does not support deletion in Azure|\bDeletionNotSupportedInAzure\b",
            says="the resource cannot be deleted in Azure",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: DeletionNotSupportedInAzure, Severity: Warning, RetryClassification: RetryVerySlow, Cause: Resource does not support deletion in Azure; set annotation \'serviceoperator.azure.com/reconcile-policy: detach-on-delete\' to permit deletion in Kubernetes" logger="insights_diagnosticsetting" name="d1" namespace="default"',
            near_miss="Resource supports deletion in Azure",
        ),
    ),
    why="Azure offers no delete operation for some types, so ASO cannot keep its promise to delete the resource, and its finalizer holds the Kubernetes object. With the policy detach-on-delete only the Kubernetes object goes.",
    remedy=(
        Step(
            "Let only the Kubernetes object go: set the annotation serviceoperator.azure.com/reconcile-policy to detach-on-delete on it; the resource stays in Azure.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} no longer lists it",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/annotations/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace}",
)
