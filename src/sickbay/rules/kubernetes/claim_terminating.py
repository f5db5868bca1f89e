from sickbay.model.kubernetes import Pod
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

_PROTECTION = "kubernetes.io/pvc-protection"


@each(PersistentVolumeClaim)
def is_still_used(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    since = claim.metadata.deletion_timestamp
    if not since or list(claim.metadata.finalizers or ()) != [_PROTECTION]:
        return None
    snapshot.require(Pod, claim.namespace)
    users = [pod for pod in snapshot.in_namespace(Pod, claim.namespace) if _uses(pod, claim.name)]
    if not users:
        return Clear(f"no pod uses claim {claim.namespace}/{claim.name} any more")
    return Match(
        f"claim {claim.namespace}/{claim.name} is to be deleted since {since}, and pod {users[0].name} still uses it",
        facts={"claim": claim.name, "user": users[0].name},
        cites=(claim.cite("metadata.finalizers", _PROTECTION),),
        at=since,
    )


def _uses(pod: Pod, claim: str) -> bool:
    if pod.status.phase in {"Succeeded", "Failed"}:
        return False
    sources = [volume.persistent_volume_claim for volume in pod.spec.volumes or ()]
    return any(source.claim_name == claim for source in sources if source)


RULE = Rule(
    title="A claim or volume stays in Terminating because something still uses it (pvc-protection, pv-protection)",
    severity=Severity.WARNING,
    categories=(Category.STORAGE,),
    detect=(
        is_still_used,
        Signature(
            pattern=r"\b(?P<claim>[a-z0-9][a-z0-9.-]+) Terminating (?:pvc-\S+|\S+) \S+ (?:RWO|RWX|ROX|RWOP)|(?P<kind>persistentvolumeclaim|persistentvolume) .{0,120}? is being deleted|\[kubernetes\.io/p(?:vc|v)-protection\].{0,200}?Terminating|Finalizers: \[[^\]]{0,120}?(?:kubernetes\.io/p(?:vc|v)-protection|external-attacher/)[^\]]{0,120}\].{0,200}?Terminating|\bTerminating\b.{0,120}?Finalizers: \[\W{0,2}kubernetes\.io/p(?:vc|v)-protection|Terminating \(lasts \S{1,40}\).{0,600}?kubernetes\.io/p(?:vc|v)-protection",
            says="a claim or volume waits for its last user before it is deleted",
            sample="NAME  STATUS        VOLUME    CAPACITY  ACCESS MODES  STORAGECLASS  AGE\ndata  Terminating   pvc-77a   10Gi      RWO           default       40d",
            near_miss="NAME  STATUS   VOLUME    CAPACITY  ACCESS MODES  STORAGECLASS  AGE\ndata  Bound    pvc-77a   10Gi      RWO           default       40d",
            weight=TYPICAL,
        ),
    ),
    why="A claim that was deleted keeps the finalizer kubernetes.io/pvc-protection while a pod uses it, and a volume keeps kubernetes.io/pv-protection while a claim is bound to it. They go away on their own with their last user; removing the finalizer by hand loses data.",
    remedy=(
        Step(
            "See which pods still use it (Used By).",
            run=(
                "kubectl",
                "describe",
                "pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete those pods, or scale their workload down, if the data may go; else leave it: nothing is lost while it is used.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} no longer lists it",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection",
    ),
    leads_to=(
        "kubernetes.namespace_stuck",
        "kubernetes.claim_missing",
        "kubernetes.finalizer_blocks_deletion",
    ),
    ask="kubectl describe pvc -n {namespace}",
)
