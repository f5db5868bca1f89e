from sickbay.model.entity import KubeEntity
from sickbay.model.guards import ConfigMap
from sickbay.model.installed import CustomResourceDefinition
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, PersistentVolumeClaim
from sickbay.model.workloads import Deployment, Service
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

# With these an object waits for its parts, and their own finalizers tell what holds them.
_IN_ORDER = ("foregroundDeletion", "orphan")


def _judged(one: KubeEntity, word: str) -> Match | Clear:
    since = one.metadata.deletion_timestamp
    holding = [name for name in one.metadata.finalizers or () if name not in _IN_ORDER]
    name = f"{word} {one.namespace}/{one.name}" if one.namespace else f"{word} {one.name}"
    if not since or not holding:
        return Clear(f"{name} is not being deleted")
    held = ", ".join(holding)
    return Match(
        f"{name} is to be deleted since {since} and held by {held}",
        facts={"finalizer": held},
        cites=(one.cite("metadata.finalizers", held),),
        at=since,
    )


@each(PersistentVolumeClaim, TYPICAL)
def claim_waits(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(claim, "claim")


@each(PersistentVolume, TYPICAL)
def volume_waits(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(volume, "volume")


@each(ConfigMap, TYPICAL)
def map_waits(config: ConfigMap, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(config, "config map")


@each(Service, TYPICAL)
def service_waits(service: Service, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(service, "service")


@each(Deployment, TYPICAL)
def deployment_waits(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(deployment, "deployment")


@each(CustomResourceDefinition, TYPICAL)
def definition_waits(
    definition: CustomResourceDefinition,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    return _judged(definition, "custom resource definition")


RULE = Rule(
    title="A finalizer holds an object that is to be deleted",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        claim_waits,
        volume_waits,
        map_waits,
        service_waits,
        deployment_waits,
        definition_waits,
        Signature(
            pattern=r"(?i)(?:deletion|delet\w+).{0,120}?(?:blocked|waiting|held|stuck).{0,80}?finalizers?|finalizers? .{0,80}?(?:still present|not removed)|timeout waiting for: \[.{0,300}?status: 'Terminating'",
            says="a finalizer holds an object that is to be deleted",
            sample="Deletion of persistentvolumeclaim data-db-0 is waiting on finalizer kubernetes.io/pvc-protection",
            near_miss="finalizer azure.microsoft.com/finalizer added",
            weight=TYPICAL,
        ),
    ),
    why="A finalizer is a promise that some controller will clean up first; the controller does not run or cannot finish (a claim that a pod still uses, an Azure resource that cannot be deleted, a definition of which objects are left), so the object stays.",
    remedy=(
        Step(
            "See who holds it.",
            run=("kubectl", "get", "{subject}", "-o", "jsonpath={.metadata.finalizers}"),
            risk=Risk.READ,
        ),
        Step(
            "End what still uses it (for pvc-protection the pods), or mend the controller that owns the finalizer.",
            risk=Risk.DISRUPTIVE,
            verify="the object is gone",
        ),
        Step(
            "Only when the controller is gone for good, remove the finalizer.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",),
    leads_to=("kubernetes.namespace_stuck", "kubernetes.condition_timeout"),
)
