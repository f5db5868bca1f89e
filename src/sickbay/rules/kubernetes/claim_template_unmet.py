from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolumeClaim, StorageClass
from sickbay.model.workloads import StatefulSet
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(StatefulSet)
def its_template_names_no_class(work: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    wanted = work.spec.replicas or 0
    templates = work.spec.volume_claim_templates or ()
    if not templates or (work.status.ready_replicas or 0) >= wanted:
        return None
    if snapshot.has_seen(PersistentVolumeClaim.kind, work.namespace):
        # The claims themselves tell, and the template may have been kept from an older class.
        return None
    for template in templates:
        name = template.spec.storage_class_name
        if name and snapshot.get(kube("StorageClass", "", name), StorageClass) is None:
            what = f"ask for storage class {name}, which does not exist"
        elif name is None and not any(one.is_default for one in snapshot.all(StorageClass)):
            what = "name no storage class, and the cluster has no default one"
        else:
            continue
        return Match(
            f"{work.status.ready_replicas or 0} of {wanted} pods of {work.namespace}/{work.name} are ready, and the claims that it makes ({template.metadata.name}) {what}",
            facts={"class": name or "(none)"},
            cites=(work.cite("spec.volumeClaimTemplates[*].spec.storageClassName", name),),
            # A volume made by hand may bear the name of a class that has no object.
            weight=TYPICAL,
        )
    return Clear(f"the storage classes that {work.namespace}/{work.name} asks for exist")


RULE = Rule(
    title="A StatefulSet makes claims of a storage class that does not exist",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(its_template_names_no_class,),
    why="A StatefulSet makes a claim for each pod from its volumeClaimTemplates. A class that is misspelled or was removed (or none, without a default) leaves the first claim and its pod Pending, and the pods after it are not even made.",
    remedy=(
        Step("See the classes that exist.", run=("kubectl", "get", "storageclass"), risk=Risk.READ),
        Step(
            "Make a class of the name {class}, or delete the StatefulSet without its pods (--cascade=orphan) and the claims that wait, and create it again with a class that exists: the templates cannot be changed.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/",
        "https://learn.microsoft.com/azure/aks/concepts-storage#storage-classes",
    ),
    leads_to=(
        "kubernetes.storage_class_missing",
        "kubernetes.claim_unbound",
        "kubernetes.pod_pending",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get pvc -A -o json",
)
