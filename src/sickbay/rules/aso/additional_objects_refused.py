from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import destinations_of
from sickbay.model.entity import KubeEntity
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def destination_belongs_to_another(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(destinations_of(thing.wanted))
    if not needs:
        return None
    for need in needs:
        held = snapshot.find(kube(need.kind, thing.namespace, need.name))
        if not isinstance(held, KubeEntity):
            continue
        owners = held.metadata.owner_references or []
        if any(one.name == thing.name and one.kind == thing.object_kind for one in owners):
            continue
        owner = f"belongs to {owners[0].kind} {owners[0].name}" if owners else "belongs to nobody"
        return Match(
            f"{thing.object_kind} {thing.name} is to write {need.kind} {need.name}, which exists and {owner}",
            facts={"kind": need.kind, "target": need.name},
            cites=(held.cite("metadata.ownerReferences", owner),),
        )
    snapshot.require(AsoObject, thing.namespace)
    return Clear(f"nothing stands in the way of what {thing.name} writes")


RULE = Rule(
    title="ASO cannot write the secret or config map that an object exports (FailedWritingAdditionalKubernetesObjects)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        destination_belongs_to_another,
        Signature(
            pattern=r"\bFailedWritingAdditionalKubernetesObjects\b(?:.{0,200}?cannot overwrite (?P<kind>Secret|ConfigMap) (?P<target>[\w./-]+))?|cannot overwrite (?:Secret|ConfigMap) (?P<other>[\w./-]+),? which is not owned by",
            says="ASO may not write {kind} {target}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: FailedWritingAdditionalKubernetesObjects, Severity: Error, RetryClassification: RetrySlow, Cause: cannot overwrite Secret default/storage-keys which is not owned by StorageAccount default/sa1" logger="storage_storageaccount" name="sa1" namespace="default"',
            near_miss="wrote Secret default/storage-keys which is owned by StorageAccount default/sa1",
        ),
    ),
    why="operatorSpec names the secrets and config maps in which ASO stores keys and ids of the resource. ASO writes only objects that it owns: one of that name exists already and belongs to something else, or the write was refused.",
    remedy=(
        Step(
            "See who owns the secrets and config maps of the namespace.",
            run=(
                "kubectl",
                "get",
                "secrets,configmaps",
                "-n",
                "{namespace}",
                "-o",
                "custom-columns=KIND:.kind,NAME:.metadata.name,OWNER:.metadata.ownerReferences[*].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose another name in operatorSpec, or delete the object that stands in the way.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/secrets/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get secrets,configmaps -n {namespace}",
)
