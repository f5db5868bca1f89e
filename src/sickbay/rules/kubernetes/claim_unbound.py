from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim, StorageClass
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
def stays_pending(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    if claim.status.phase != "Pending":
        return Clear(
            f"claim {claim.namespace}/{claim.name} is {claim.status.phase or 'without a phase'}"
        )
    if not claim.spec.storage_class_name:
        return None
    found = snapshot.get(kube("StorageClass", "", claim.spec.storage_class_name), StorageClass)
    if found is None or found.waits_for_pod:
        return None
    return Match(
        f"claim {claim.namespace}/{claim.name} of class {found.name} is still Pending",
        facts={"claim": claim.name},
        cites=(claim.cite("status.phase", claim.status.phase),),
    )


RULE = Rule(
    title="A persistent volume claim is not bound, so the pod that uses it waits",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        stays_pending,
        Signature(
            pattern=r'(?:pod has unbound immediate PersistentVolumeClaims|node\(s\) didn\'t find available persistent volumes to bind|persistentvolumeclaim "(?P<claim>[\w.-]+)" is not bound|no persistent volumes available for this claim\b)',
            says="a pod waits for a claim that is not bound",
            sample="0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
            near_miss="0/3 nodes are available: 3 Insufficient memory.",
        ),
        Signature(
            pattern=r'ProvisioningFailed\b.{0,80}?failed to provision volume with StorageClass "(?P<class>[\w.-]+)"|[Ff]ailed to provision volume with StorageClass "(?P<other>[\w.-]+)"',
            says="no volume could be made for a claim",
            sample='Warning  ProvisioningFailed  9s  disk.csi.azure.com_csi-azuredisk-controller  failed to provision volume with StorageClass "managed-csi": rpc error: code = Internal desc = Retriable: false',
            near_miss="Normal  ProvisioningSucceeded  9s  disk.csi.azure.com  Successfully provisioned volume pvc-1",
            weight=TYPICAL,
            passes=True,
            # What keeps the driver from Azure has rules of its own.
            unless=r"no such host|dial tcp",
        ),
    ),
    why="The claim has no volume: its class could not make one (permission, quota, firewall, parameter), or no existing volume fits it.",
    remedy=(
        Step(
            "Read the events of the claim.",
            run=("kubectl", "describe", "pvc", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the provisioner names, or create a volume that fits it.",
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding",
        "https://learn.microsoft.com/azure/aks/concepts-storage",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.mount_failed"),
    ask="kubectl describe pvc -n {namespace}",
)
