from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.placement import is_finished
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim, pods_by_claim
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_EXCLUSIVE = frozenset({"ReadWriteOnce", "ReadWriteOncePod"})


@each(Pod)
def waits_for_attached_disk(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or not pod.spec.node_name or pod.metadata.deletion_timestamp:
        return None
    names = [
        v.persistent_volume_claim.claim_name
        for v in pod.spec.volumes or ()
        if v.persistent_volume_claim
    ]
    for name in names:
        claim = snapshot.get(
            kube("PersistentVolumeClaim", pod.namespace, name), PersistentVolumeClaim
        )
        if claim is None or not _EXCLUSIVE.issuperset(claim.spec.access_modes or ("",)):
            continue
        for holder in snapshot.once(pods_by_claim).get((pod.namespace, name), ()):
            if _holds(holder) and holder.node not in ("", pod.node):
                return Match(
                    f"{pod.namespace}/{pod.name} waits on {pod.node} for claim {name} ({', '.join(claim.spec.access_modes or ())}), which {holder.name} still uses on {holder.node}",
                    facts={"volume": claim.spec.volume_name or name, "holder": holder.name},
                    cites=(holder.cite("spec.nodeName", holder.node),),
                )
    snapshot.require(Pod, pod.namespace)
    return Clear(f"no other node uses the disks of {pod.namespace}/{pod.name}") if names else None


def _holds(pod: Pod) -> bool:
    """Whether a pod keeps its volumes on its node: it runs there, or has not finished ending."""
    return not is_finished(pod) and pod.status.phase != "Pending"


RULE = Rule(
    title="A disk is still attached to another node (Multi-Attach error, ReadWriteOnce)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        waits_for_attached_disk,
        Signature(
            pattern=r"Multi-Attach error for volume \"?(?P<volume>[^\" ]{1,200})\"?|disk[ (].{0,400}? (?:is )?already attached to (?:the )?node|\bAcquireDiskLeaseFailed\b|disk is (?:currently |already )?(?:being )?(?:attached|owned) (?:to|by) (?:another |VM )|is currently attached to VM|[Vv]olume is already exclusively attached to one node and can\'t be attached to another",
            says="volume {volume} is still attached to another node",
            sample='Warning  FailedAttachVolume  3m  attachdetach-controller  Multi-Attach error for volume "pvc-0d7740b9" Volume is already used by pod(s) db-0',
            near_miss='Normal  SuccessfulAttachVolume  3m  attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-0d7740b9"',
        ),
        Signature(
            pattern=r"due to PersistentVolumeClaim with (?P<mode>ReadWriteOncePod) access mode already in-use by another pod",
            says="another pod uses the claim, and its access mode {mode} allows one pod only",
            sample="0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod.",
            near_miss="0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
        ),
    ),
    why="A disk with access mode ReadWriteOnce hangs on one node at a time; the old pod still runs there (a rolling update, several replicas of one claim) or its node was lost and the disk was not detached yet.",
    remedy=(
        Step(
            "Find the pod that still uses the volume, and its node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what is attached where.",
            run=(
                "kubectl",
                "get",
                "volumeattachments",
            ),
            risk=Risk.READ,
        ),
        Step(
            "End the old pod (strategy Recreate, or a StatefulSet, for single-writer volumes); after a lost node the disk is detached after about six minutes.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed", "kubernetes.pod_pending"),
    ask="kubectl get volumeattachments",
)
