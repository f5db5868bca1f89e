from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(PersistentVolumeClaim)
def names_no_class(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    wanted = claim.spec.storage_class_name
    if claim.status.phase != "Pending" or claim.spec.volume_name:
        return Clear(
            f"claim {claim.namespace}/{claim.name} is {claim.status.phase or 'without a phase'}"
        )
    if wanted and snapshot.get(kube("StorageClass", "", wanted), StorageClass) is None:
        made = snapshot.some(PersistentVolume) if snapshot.holds("PersistentVolume") else ()
        if any(volume.spec.storage_class_name == wanted for volume in made):
            return Clear(f"class {wanted} is that of volumes made by hand, and needs no object")
        return Match(
            f"claim {claim.namespace}/{claim.name} asks for storage class {wanted}, which does not exist",
            facts={"class": wanted},
            cites=(claim.cite("spec.storageClassName", wanted),),
        )
    if wanted is None and not any(one.is_default for one in snapshot.all(StorageClass)):
        return Match(
            f"claim {claim.namespace}/{claim.name} names no storage class, and the cluster has no default one",
            facts={"class": "(none)"},
            cites=(claim.cite("spec.storageClassName", wanted),),
        )
    return Clear(f"storage class {wanted or '(default)'} exists")


RULE = Rule(
    title="A claim asks for a storage class that does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        names_no_class,
        Signature(
            pattern=r'storageclass(?:es)?\.storage\.k8s\.io "(?P<class>[\w.-]+)" not found|no persistent volumes available for this claim and no storage class is set',
            says="the storage class of a claim does not exist",
            sample='Warning  ProvisioningFailed  3s  persistentvolume-controller  storageclass.storage.k8s.io "managed-premium-v3" not found',
            near_miss='storageclass.storage.k8s.io "managed-premium-v3" created',
        ),
    ),
    why="The volume of a claim is made by its storage class; a misspelled or removed class (or none, without a default) leaves the claim Pending for ever.",
    remedy=(
        Step("See the classes that exist.", run=("kubectl", "get", "storageclass"), risk=Risk.READ),
        Step(
            "Create the claim again with an existing class: the class of a claim cannot be changed.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-storage#storage-classes",
        "https://kubernetes.io/docs/concepts/storage/storage-classes/",
    ),
    leads_to=("kubernetes.claim_unbound", "kubernetes.pod_pending"),
)
