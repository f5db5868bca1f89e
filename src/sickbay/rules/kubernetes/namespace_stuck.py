from sickbay.model.entity import KubeEntity, KubeObject
from sickbay.model.guards import Namespace
from sickbay.model.snapshot import Snapshot
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

HOLDS = (
    "NamespaceFinalizersRemaining",
    "NamespaceDeletionContentFailure",
    "NamespaceDeletionDiscoveryFailure",
    "NamespaceContentRemaining",
)


@each(Namespace)
def cannot_be_emptied(namespace: Namespace, snapshot: Snapshot) -> Match | Clear | None:
    if namespace.status.phase != "Terminating":
        return Clear(f"namespace {namespace.name} is not being deleted")
    true = {c.type: c for c in namespace.status.conditions or () if c.is_true}
    held = [true[kind] for kind in HOLDS if kind in true]
    # That pods are still ending is how every deletion begins.
    if not held or held[0].type == "NamespaceContentRemaining":
        return _kept_by_object(namespace, snapshot)
    return Match(
        f"namespace {namespace.name} cannot be deleted: {held[0].message or held[0].type}",
        facts={"held": namespace.name},
        cites=(namespace.cite(f"status.conditions[{held[0].type}]", held[0].message),),
        at=namespace.metadata.deletion_timestamp or "",
    )


def _kept_by_object(namespace: Namespace, snapshot: Snapshot) -> Match | None:
    """An object of an unknown kind in it, which is to be deleted and waits for its controller."""
    waiting = [
        one
        for one in snapshot.grouped(KubeObject, "namespace", namespace.name)
        if one.metadata.deletion_timestamp and one.metadata.finalizers
    ]
    if not waiting:
        return None
    first: KubeEntity = min(waiting, key=lambda one: one.ref.key)
    held = ", ".join(first.metadata.finalizers or ())
    return Match(
        f"namespace {namespace.name} is Terminating, and {first.ref.id} in it is held by {held}",
        facts={"held": namespace.name},
        cites=(first.cite("metadata.finalizers", held),),
        at=namespace.metadata.deletion_timestamp or "",
        weight=TYPICAL,
    )


RULE = Rule(
    title="A namespace stays in Terminating because something in it is not released",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        cannot_be_emptied,
        Signature(
            pattern=r"Some content in the namespace has finalizers remaining|NamespaceFinalizersRemaining(?:[^ ]| True)|because it is being terminated|namespace \"?(?P<held>[\w-]+)\"? is being terminated",
            says="a namespace is held in Terminating",
            sample="NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: azure.microsoft.com/finalizer in 3 resource instances",
            near_miss="All resources successfully discovered",
        ),
        Signature(
            pattern=r"NamespaceDeletionDiscoveryFailure(?:[^ ]| True| [^FT]|$)|Discovery failed for some groups, \d+ failing",
            says="a namespace is held in Terminating: what is in it cannot be listed",
            sample="NamespaceDeletionDiscoveryFailure   True   Tue, 06 Dec 2022 10:23:44 +0300   DiscoveryFailed",
            near_miss="NamespaceDeletionDiscoveryFailure   False   Fri, 01 Sep 2023 20:34:24 +0000   ResourcesDiscovered",
            unless=r'status"?: "?False"?,? "?type"?: "?NamespaceDeletionDiscoveryFailure',
        ),
    ),
    why="A namespace goes only when every object in it is gone; objects with finalizers wait for their controller, and an aggregated API that is down keeps the list of what is left from being read.",
    remedy=(
        Step(
            "See what is left and which finalizers hold it.",
            run=("kubectl", "get", "namespace", "{name}", "-o", "jsonpath={.status.conditions}"),
            risk=Risk.READ,
        ),
        Step(
            "Bring the controller that owns the finalizer, or the API service that is down, back up.",
            run=("kubectl", "get", "apiservices"),
            risk=Risk.READ,
            verify="kubectl get namespace {name} finds nothing",
        ),
        Step(
            "Only when its controller is gone for good, remove the finalizer from the object; what it protected (an Azure resource) is then left behind.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/pods-namespaces-terminating-state",
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
    ),
)
