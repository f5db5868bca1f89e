from sickbay.model.aso import AsoObject
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


@each(AsoObject)
def owner_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    wanted = thing.owner_wanted
    name = wanted.name if wanted else thing.owner_name
    # Of an owner by ARM id there is no object, and a Ready object had its owner.
    if not name or thing.is_ready or not thing.is_of_aso or not thing.metadata.namespace:
        return None
    # An object with a trouble of its own has passed its owner.
    if thing.trouble and thing.trouble.reason != "WaitingForOwner":
        return None
    kind = wanted.kind if wanted else "object"
    if thing.owner_in(snapshot) is not None:
        return Clear(f"the owner {name} of {thing.name} exists")
    if not wanted or not snapshot.has_seen(wanted.kind, thing.namespace):
        snapshot.require(AsoObject, thing.namespace)
    others = sorted(
        one.namespace
        for one in snapshot.grouped(AsoObject, "name", name)
        if one.namespace != thing.namespace and one.object_kind == kind
    )
    elsewhere = f"; there is one in namespace {others[0]}" if others else ""
    return Match(
        f"{kind} {name}, the owner of {thing.object_kind} {thing.name}, does not exist in namespace {thing.namespace}{elsewhere}",
        facts={"owner": name, "kind": kind},
        cites=(thing.cite("spec.owner.name", name),),
        # By its spec alone: the kind of the owner is only guessed from that of the object.
        weight=None if wanted else TYPICAL,
    )


RULE = Rule(
    title="The owner that an ASO object names does not exist in its namespace (WaitingForOwner)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        owner_does_not_exist,
        Signature(
            pattern=r"Owner does not yet exist",
            says="the owner does not exist yet",
            sample='I1115 22:34:13.657253 9357 arm_generic_reconciler.go:95] "Owner does not yet exist" logger="network_virtualnetworkssubnet" name="subnet1" namespace="shop"',
            near_miss='"Owner exists and is ready" logger="network_virtualnetworkssubnet" name="subnet1"',
            passes=True,
        ),
    ),
    why="spec.owner.name is the name of a Kubernetes object in the same namespace, under which the resource is created in Azure. No such object exists: it was never applied, has another name, or lies in another namespace, and ASO waits for it without sending anything.",
    remedy=(
        Step(
            "See what exists in the namespace.",
            run=("kubectl", "get", "azure", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the owner in the same namespace, or delete the object and create it with the right spec.owner.name: the owner of an existing object cannot be changed.",
            verify="kubectl get azure -n {namespace} wants the owner, READY True",
        ),
        Step(
            "If the parent lives only in Azure, give its id in spec.owner.armId instead of a name."
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://azure.github.io/azure-service-operator/guide/ownership/",
    ),
    leads_to=("aso.waiting_for_owner",),
    ask="kubectl get azure -n {namespace}",
)
