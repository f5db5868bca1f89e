from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def names_absent_claim(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or pod.spec.node_name or pod.metadata.deletion_timestamp:
        return None
    for volume in pod.spec.volumes or ():
        source = volume.persistent_volume_claim
        if source is None:
            continue
        ref = kube("PersistentVolumeClaim", pod.namespace, source.claim_name)
        if snapshot.get(ref, PersistentVolumeClaim) is None:
            return Match(
                f"{pod.namespace}/{pod.name} uses claim {source.claim_name}, which does not exist",
                facts={"claim": source.claim_name},
                cites=(
                    pod.cite(
                        f"spec.volumes[{volume.name}].persistentVolumeClaim.claimName",
                        source.claim_name,
                    ),
                ),
            )
    return Clear(f"the claims of {pod.namespace}/{pod.name} exist")


RULE = Rule(
    title="A pod names a persistent volume claim that does not exist in its namespace",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        names_absent_claim,
        Signature(
            pattern=r'persistentvolumeclaims? "(?P<claim>[\w.-]+)" not found',
            says="the claim {claim} that a pod names is not found",
            sample='0/3 nodes are available: persistentvolumeclaim "data-db-0" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
            near_miss='0/3 nodes are available: persistentvolumeclaim "data-db-0" is being deleted.',
            unless=r"Error from server \(NotFound\)",
        ),
    ),
    why="The scheduler places a pod only when every claim that its volumes name exists in the namespace of the pod; this claim was never made, was deleted, or lies in another namespace under the same name.",
    remedy=(
        Step(
            "See the claims of the namespace.",
            run=(
                "kubectl",
                "get",
                "pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the claim {claim}, or correct claimName in the workload.",
            verify="kubectl get pvc {claim} -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/#claims-as-volumes",),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl get pvc -A -o json",
)
