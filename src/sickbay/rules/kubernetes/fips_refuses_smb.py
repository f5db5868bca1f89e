from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import FILE_DRIVER, PersistentVolume, PersistentVolumeClaim
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_FIPS = "kubernetes.azure.com/fips_enabled"


@each(Pod, TYPICAL)
def mounts_smb_under_fips(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or not pod.spec.node_name or not pod.spec.volumes:
        return None
    share = _share(pod, snapshot)
    if share is None:
        return None
    node = snapshot.get(kube("Node", "", pod.spec.node_name), Node)
    if node is None or node.labels.get(_FIPS) != "true":
        return Clear(f"{pod.namespace}/{pod.name} does not run on a FIPS node")
    return Match(
        f"{pod.namespace}/{pod.name} waits on FIPS node {node.name} for volume {share.name}, a file share by SMB",
        facts={"volume": share.name},
        cites=(node.cite("metadata.labels", f"{_FIPS}=true"),),
    )


def _share(pod: Pod, snapshot: Snapshot) -> PersistentVolume | None:
    """The first volume of a pod that is mounted by SMB."""
    for volume in pod.spec.volumes or ():
        source = volume.persistent_volume_claim
        if source is None:
            continue
        ref = kube("PersistentVolumeClaim", pod.namespace, source.claim_name)
        claim = snapshot.get(ref, PersistentVolumeClaim)
        if claim is None or not claim.spec.volume_name:
            continue
        found = snapshot.get(kube("PersistentVolume", "", claim.spec.volume_name), PersistentVolume)
        if found and found.driver == FILE_DRIVER and not found.is_nfs:
            return found
    return None


RULE = Rule(
    title="A pod mounts a file share by SMB on a FIPS node, which cannot sign in to it",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(mounts_smb_under_fips,),
    why="On nodes with FIPS the kernel leaves out algorithms that CIFS needs to sign in with the account key (NTLM uses MD4 and MD5), so mounts of Azure Files by SMB fail there with mount error(2), (13) or (95), while other nodes mount the same share.",
    remedy=(
        Step(
            "See which nodes have FIPS.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-L",
                "kubernetes.azure.com/fips_enabled",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the pod on a pool without FIPS.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or use a share by NFS (protocol: nfs in the class), which needs no NTLM.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/azure/aks/enable-fips-nodes",
    ),
    leads_to=(
        "kubernetes.share_missing",
        "kubernetes.share_access_denied",
        "kubernetes.mount_failed",
        "kubernetes.container_creating_stuck",
    ),
)
