from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(PersistentVolumeClaim)
def wants_taken_volume(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    if claim.status.phase != "Pending" or not claim.spec.volume_name:
        return None
    volume = snapshot.get(kube("PersistentVolume", "", claim.spec.volume_name), PersistentVolume)
    holder = volume.spec.claim_ref if volume else None
    if volume is None or holder is None:
        return None
    is_own = (holder.namespace, holder.name) == (claim.namespace, claim.name)
    if is_own and volume.status.phase != "Released":
        return Clear(f"volume {volume.name} is kept for {claim.namespace}/{claim.name}")
    state = volume.status.phase or "bound"
    return Match(
        f"claim {claim.namespace}/{claim.name} asks for volume {volume.name}, which is {state} and belongs to claim {holder.namespace}/{holder.name}"
        + (" of an earlier life" if is_own else ""),
        facts={"volume": volume.name},
        cites=(volume.cite("spec.claimRef", f"{holder.namespace}/{holder.name}"),),
    )


@each(PersistentVolumeClaim)
def finds_only_released(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    named = claim.spec.storage_class_name
    if claim.status.phase != "Pending" or claim.spec.volume_name or not named:
        return None
    volumes = [v for v in snapshot.all(PersistentVolume) if v.spec.storage_class_name == named]
    held = [v for v in volumes if v.status.phase == "Released" and v.spec.claim_ref]
    if not held or any(one.status.phase == "Available" for one in volumes):
        return None
    made_by = snapshot.get(kube("StorageClass", "", named), StorageClass)
    if made_by and made_by.provisioner != "kubernetes.io/no-provisioner":
        return Clear(f"class {named} makes a volume for {claim.namespace}/{claim.name}")
    holder = held[0].spec.claim_ref
    of = f"{holder.namespace}/{holder.name}" if holder else ""
    return Match(
        f"claim {claim.namespace}/{claim.name} finds no free volume of class {named}: {held[0].name} is Released and still belongs to claim {of}",
        facts={"volume": held[0].name},
        cites=(held[0].cite("spec.claimRef", of), held[0].cite("status.phase", "Released")),
    )


RULE = Rule(
    title="The volume that a claim could have belongs to another claim (Released or already bound)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        wants_taken_volume,
        finds_only_released,
        Signature(
            pattern=r'volume "(?P<volume>[\w.-]+)" already bound to a different claim',
            says="volume {volume} is bound to another claim",
            sample='Warning  FailedBinding  4s (x9 over 2m)  persistentvolume-controller  volume "pv-data" already bound to a different claim.',
            near_miss='volume "pv-data" bound to claim shop/data',
        ),
    ),
    why="A PersistentVolume serves one claim for all its life: its claimRef names the claim with its uid. After that claim was deleted the volume is Released, and a new claim of the same name is still another claim, so it stays Pending.",
    remedy=(
        Step(
            "See which claim holds the volume.",
            run=(
                "kubectl",
                "get",
                "pv",
                "{volume}",
                "-o",
                "jsonpath={.spec.claimRef.namespace}/{.spec.claimRef.name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the old claim is gone for good, free the volume; its data stays.",
            run=(
                "kubectl",
                "patch",
                "pv",
                "{volume}",
                "--type",
                "json",
                "-p",
                '[{"op":"remove","path":"/spec/claimRef"}]',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
        Step("Or leave volumeName out of the claim, so that a new volume is made."),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming",
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reserving-a-persistentvolume",
    ),
    leads_to=(
        "kubernetes.claim_unbound",
        "kubernetes.storage_class_missing",
        "kubernetes.pod_pending",
    ),
    ask="kubectl get pv -o json",
)
