from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(PersistentVolumeClaim)
def lost_its_volume(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if claim.status.phase != "Lost":
        return Clear(
            f"claim {claim.namespace}/{claim.name} is {claim.status.phase or 'without a phase'}"
        )
    return Match(
        f"claim {claim.namespace}/{claim.name} was bound to volume {claim.spec.volume_name or 'of no name'}, which is gone",
        facts={"claim": claim.name},
        cites=(claim.cite("status.phase", claim.status.phase),),
    )


RULE = Rule(
    title="A claim has lost its persistent volume: the volume was deleted under it",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        lost_its_volume,
        Signature(
            pattern=r'(?i)Bound claim has lost (?:its PersistentVolume|reference to PersistentVolume)|\bClaimLost\b|persistentvolumeclaims? "(?P<claim>[\w.-]+)" bound to non-existent',
            says="a claim has lost its volume",
            sample="Warning  ClaimLost  2m  persistentvolume-controller  Bound claim has lost its PersistentVolume. Data on the volume is lost!",
            near_miss="Normal  ProvisioningSucceeded  2m  disk.csi.azure.com  Successfully provisioned volume pvc-1",
        ),
        Signature(
            pattern=r"\b(?P<claim>[a-z0-9][\w.-]*) Lost pvc-[\w-]+ ",
            says="claim {claim} is Lost",
            sample="NAME STATUS VOLUME CAPACITY ACCESS MODES STORAGECLASS AGE\ndata-db-0   Lost   pvc-6f0c1d7e-1111-2222-3333-444455556666   0   managed-csi   40d",
            near_miss="data-db-0   Bound   pvc-6f0c1d7e-1111-2222-3333-444455556666   8Gi   RWO   managed-csi   40d",
        ),
    ),
    why="A claim stays tied to the one volume that it was bound to. Somebody deleted the PersistentVolume object (the Azure disk or share may still exist if the policy was Retain), and Kubernetes never binds the claim to another.",
    remedy=(
        Step(
            "See whether the disk or share behind it still exists.",
            run=(
                "az",
                "resource",
                "list",
                "-g",
                "{node_resource_group}",
                "--query",
                "[?contains(type,'disks')].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a PersistentVolume again for the disk or share that is left, with claimRef to this claim; or restore from a backup.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If the data may go, delete the claim and let the workload make a new one.",
            run=(
                "kubectl",
                "delete",
                "pvc",
                "{claim}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/#phase",),
    leads_to=(
        "kubernetes.pod_pending",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get pvc -A -o json",
)
