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
def owner_is_missing_or_not_ready(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason != "WaitingForOwner":
        return None
    wanted = thing.owner_wanted
    if wanted is None:
        return None
    owner = snapshot.find(wanted)
    facts = {"owner": wanted.name, "kind": wanted.kind}
    cite = thing.cite("status.conditions[type=Ready].reason", trouble.reason)
    if owner is None:
        if not snapshot.has_seen(wanted.kind, thing.namespace):
            snapshot.require(AsoObject, thing.namespace)
        return Match(
            f"{wanted.kind} {wanted.name}, the owner of {thing.name}, does not exist in namespace {thing.namespace}",
            facts=facts,
            cites=(cite,),
        )
    if not isinstance(owner, AsoObject) or owner.ready is None:
        return None
    if owner.ready.status == "True":
        return Clear(f"its owner {wanted.kind} {wanted.name} is Ready")
    return Match(
        f"{wanted.kind} {wanted.name}, the owner of {thing.name}, exists but is not Ready: {owner.ready.reason}",
        facts=facts,
        cites=(cite, owner.cite("status.conditions[type=Ready].reason", owner.ready.reason)),
    )


RULE = Rule(
    title="An ASO object waits for its owner, which is missing or not Ready (WaitingForOwner)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        owner_is_missing_or_not_ready,
        Signature(
            pattern=r'(?:\bWaitingForOwner\b.{0,120}?)?Owner "(?P<owner>[^",]{1,253}), Group/Kind: (?P<group>[\w.-]+)/(?P<kind>\w+)" cannot be found',
            says="the owner {kind} {owner} cannot be found, or is not Ready",
            sample='pool1 False Warning WaitingForOwner Owner "aks1, Group/Kind: containerservice.azure.com/ManagedCluster" cannot be found. Progress is blocked until the owner is created.',
            near_miss='Owner "aks1, Group/Kind: containerservice.azure.com/ManagedCluster" is Ready',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"Owner does not yet exist|Owner exists but is not ready\. Current condition",
            says="the owner is not there yet, or not Ready",
            sample='I1115 22:34:13.657253 9357 arm_generic_reconciler.go:101] "Owner exists but is not ready. Current condition" logger="network_virtualnetworkssubnet" name="subnet1"',
            near_miss="Owner exists and is ready",
            weight=TYPICAL,
        ),
    ),
    why="ASO creates a resource only when the Kubernetes object named in spec.owner exists in the same namespace and is Ready. It prints that the owner cannot be found in both cases, so only a look at the owner tells an absent owner from one that fails itself.",
    remedy=(
        Step(
            "See whether the owner exists in this namespace, and what its Ready condition says.",
            run=(
                "kubectl",
                "get",
                "azure",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the owner {owner} in the same namespace, or correct spec.owner.name; if it exists, end what keeps the owner from Ready: that is the cause of this too.",
            verify="kubectl get azure -n {namespace} wants READY True for the owner",
        ),
        Step("If the parent lives only in Azure, name it by spec.owner.armId in a new object."),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://azure.github.io/azure-service-operator/guide/frequently-asked-questions/",
    ),
    ask="kubectl get azure -n {namespace}",
)
