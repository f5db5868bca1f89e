from sickbay.model.ids import kube
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.placement import is_unschedulable
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, PersistentVolumeClaim
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def has_volume_elsewhere(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not is_unschedulable(pod):
        return None
    claims = [
        v.persistent_volume_claim.claim_name
        for v in pod.spec.volumes or ()
        if v.persistent_volume_claim
    ]
    if not claims:
        return Clear(f"{pod.namespace}/{pod.name} has no persistent volume")
    for name in claims:
        claim = snapshot.get(
            kube("PersistentVolumeClaim", pod.namespace, name), PersistentVolumeClaim
        )
        if claim is None or not claim.spec.volume_name:
            continue
        volume = snapshot.get(
            kube("PersistentVolume", "", claim.spec.volume_name), PersistentVolume
        )
        required = volume.required if volume else None
        usable = [n for n in snapshot.all(Node) if n.is_ready and not n.spec.unschedulable]
        if (
            volume
            and required
            and usable
            and not any(required.accepts(node.labels, node.name) for node in usable)
        ):
            return Match(
                f"volume {volume.name} of {pod.namespace}/{pod.name} is bound to {required}, and none of {len(usable)} usable nodes is there",
                facts={"volume": volume.name, "zone": str(required)},
                cites=(volume.cite("spec.nodeAffinity.required", required),),
            )
    return Clear(f"nodes are there in the zones of the volumes of {pod.namespace}/{pod.name}")


RULE = Rule(
    title="A volume is in another zone than the nodes that could run the pod (volume node affinity conflict)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        has_volume_elsewhere,
        Signature(
            pattern=r"had volume node affinity conflict|NoVolumeZoneConflict predicate mismatch|had no available volume zone",
            says="the volume of a pod is bound to a zone without a usable node",
            sample="0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) had volume node affinity conflict. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
            near_miss="0/4 nodes are available: 4 node(s) didn't find available persistent volumes to bind.",
        ),
        Signature(
            pattern=r"cannot be attached to the VM because it is not in (?:the same )?zone\b(?: as the VM|,? '?\w+'?)?(?:\. VM zone: '(?P<vm_zone>\w+)'\. Disk zone: '(?P<zone>\w+)')?",
            says="a disk is in another zone than the node of its pod",
            sample="BadRequest: Disk /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mc/providers/Microsoft.Compute/disks/pvc-1 cannot be attached to the VM because it is not in the same zone as the VM. VM zone: '1'. Disk zone: '3'.",
            near_miss="Disk pvc-1 cannot be attached to the VM because it is being deleted.",
        ),
    ),
    why="A locally redundant disk lives in one availability zone and can be attached only to nodes of that zone; the pool has no ready node there, or the disk was made before the pod was placed (binding mode Immediate).",
    remedy=(
        Step(
            "See zones of volumes and nodes.",
            run=("kubectl", "get", "nodes", "-L", "topology.kubernetes.io/zone"),
            risk=Risk.READ,
        ),
        Step(
            "Bring a node into the zone of the disk.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "For new volumes use a zone-redundant class (StandardSSD_ZRS, Premium_ZRS) or WaitForFirstConsumer."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/azure/aks/azure-csi-disk-storage-provision",
    ),
    leads_to=("kubernetes.pod_pending", "kubernetes.mount_failed", "aks.new_node_unfit"),
    ask="kubectl get pv -o json",
)
