from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import CSINode, PersistentVolumeClaim, StorageClass
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

# Volumes of such a class are made by hand.
NOBODY = "kubernetes.io/no-provisioner"


@each(PersistentVolumeClaim, TYPICAL)
def waits_for_no_driver(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    wanted = claim.spec.storage_class_name
    if claim.status.phase != "Pending" or not wanted:
        return None
    found = snapshot.get(kube("StorageClass", "", wanted), StorageClass)
    if found is None or not found.provisioner or found.provisioner == NOBODY:
        return None
    off = [one.name for one in _switched_off(snapshot, found.provisioner)]
    nodes = snapshot.all(CSINode) if not off else ()
    if any(d.name == found.provisioner for node in nodes for d in node.spec.drivers or ()):
        return Clear(f"driver {found.provisioner} of class {wanted} runs on the nodes")
    if not off and (not nodes or found.waits_for_pod):
        return None
    lacks = f"it is switched off in {off[0]}" if off else "no node has that driver"
    return Match(
        f"claim {claim.namespace}/{claim.name} waits for {found.provisioner} to make its volume, and {lacks}",
        facts={"claim": claim.name, "class": wanted, "driver": found.provisioner},
        cites=(found.cite("provisioner", found.provisioner),),
        at=claim.metadata.creation_timestamp or "",
    )


def _switched_off(snapshot: Snapshot, driver: str) -> list[ManagedCluster]:
    clusters = snapshot.grouped(ManagedCluster, "kind", ManagedCluster.kind)
    return [one for one in clusters if driver in one.drivers_off]


RULE = Rule(
    title="A claim waits for a provisioner (CSI driver) that is not installed or does not run, and stays Pending",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        waits_for_no_driver,
        Signature(
            pattern=r"\(x\d{2,} over \w{1,12}\) .{0,80}?[Ww]aiting for a volume to be created,? either by (?:the )?external provisioner \W(?P<provisioner>[\w./-]+)",
            says="a claim waits for the provisioner {provisioner}",
            sample="Normal  ExternalProvisioning  3m (x26 over 9m)  persistentvolume-controller  Waiting for a volume to be created either by the external provisioner 'nfs.csi.k8s.io' or manually by the system administrator.",
            near_miss="Normal  ProvisioningSucceeded  3m  disk.csi.azure.com  Successfully provisioned volume pvc-1",
            weight=TYPICAL,
            passes=True,
            ended_by=r"ProvisioningSucceeded|Successfully provisioned volume",
        ),
        Signature(
            # The driver died over the call, or was not up yet.
            pattern=r"(?i:failed to provision volume with StorageClass).{0,120}?code = Unavailable desc = (?:error reading from server: EOF|transport is closing|connection error|keepalive ping failed)",
            says="the provisioner of a class does not answer",
            sample='error syncing claim "6426": failed to provision volume with StorageClass "azurefile-sc": rpc error: code = Unavailable desc = error reading from server: EOF',
            near_miss='error syncing claim "6426": failed to provision volume with StorageClass "azurefile-sc": rpc error: code = InvalidArgument desc = invalid parameter',
            weight=TYPICAL,
            passes=True,
            ended_by=r"ProvisioningSucceeded|Successfully provisioned volume",
        ),
    ),
    why="The volume of a claim is made by the provisioner that its storage class names. A driver that runs registers itself on the nodes (CSINode); none has this one: it was never installed, its add-on is switched off, or the class misspells it.",
    remedy=(
        Step(
            "See the drivers that are there.",
            run=("kubectl", "get", "csidrivers,csinodes"),
            risk=Risk.READ,
        ),
        Step(
            "Install or enable the driver {driver} (on AKS: az aks update with --enable-disk-driver, --enable-file-driver or --enable-blob-driver), or use a class whose driver runs.",
            verify="kubectl get pvc {claim} -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/storage-classes/#provisioner",
        "https://learn.microsoft.com/azure/aks/csi-storage-drivers",
    ),
    leads_to=("kubernetes.claim_unbound", "kubernetes.pod_pending"),
    ask="kubectl get csidrivers,csinodes",
)
