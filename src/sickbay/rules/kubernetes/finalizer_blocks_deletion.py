from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim
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


@each(PersistentVolumeClaim, TYPICAL)
def waits_for_finalizer(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not claim.metadata.deletion_timestamp or not claim.metadata.finalizers:
        return Clear(f"claim {claim.namespace}/{claim.name} is not being deleted")
    held = ", ".join(claim.metadata.finalizers)
    return Match(
        f"claim {claim.namespace}/{claim.name} is to be deleted since {claim.metadata.deletion_timestamp} and held by {held}",
        facts={"finalizer": held},
        cites=(claim.cite("metadata.finalizers", held),),
        at=claim.metadata.deletion_timestamp,
    )


RULE = Rule(
    title="A finalizer holds an object that is to be deleted",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        waits_for_finalizer,
        Signature(
            pattern=r"(?i)(?:deletion|delet\w+).{0,120}?(?:blocked|waiting|held|stuck).{0,80}?finalizers?|finalizers? .{0,80}?(?:still present|not removed)",
            says="a finalizer holds an object that is to be deleted",
            sample="Deletion of persistentvolumeclaim data-db-0 is waiting on finalizer kubernetes.io/pvc-protection",
            near_miss="finalizer azure.microsoft.com/finalizer added",
            weight=TYPICAL,
        ),
    ),
    why="A finalizer is a promise that some controller will clean up first; the controller does not run or cannot finish (a claim that a pod still uses, an Azure resource that cannot be deleted), so the object stays.",
    remedy=(
        Step(
            "See who holds it.",
            run=("kubectl", "get", "{subject}", "-o", "jsonpath={.metadata.finalizers}"),
            risk=Risk.READ,
        ),
        Step(
            "End what still uses it (for pvc-protection the pods), or mend the controller that owns the finalizer.",
            risk=Risk.DISRUPTIVE,
            verify="the object is gone",
        ),
        Step(
            "Only when the controller is gone for good, remove the finalizer.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",),
    leads_to=("kubernetes.namespace_stuck",),
)
