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


@each(AsoObject, weight=TYPICAL)
def waits_for_owner(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    trouble = thing.trouble
    if trouble is None or trouble.reason != "WaitingForOwner":
        return None
    owner = thing.owner_in(snapshot)
    if owner is not None and owner.is_ready:
        return Clear(f"its owner {owner.object_kind} {owner.name} is Ready")
    wanted = thing.owner_wanted
    name = wanted.name if wanted else thing.owner_name or "its owner"
    return Match(
        f"{thing.object_kind} {thing.name} waits for {wanted.kind if wanted else 'owner'} {name}",
        facts={"owner": name, "kind": wanted.kind if wanted else "<kind>"},
        cites=(thing.cite("status.conditions[type=Ready].reason", trouble.reason),),
    )


RULE = Rule(
    title="An ASO object waits for its owner, which is missing or not Ready (WaitingForOwner)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        waits_for_owner,
        Signature(
            pattern=r'(?:\bWaitingForOwner\b.{0,120}?)?Owner "(?P<owner>[^",]{1,253}), Group/Kind: (?P<group>[\w.-]+)/(?P<kind>\w+)" cannot be found',
            says="the owner {kind} {owner} cannot be found, or is not Ready",
            sample='pool1 False Warning WaitingForOwner Owner "aks1, Group/Kind: containerservice.azure.com/ManagedCluster" cannot be found. Progress is blocked until the owner is created.',
            near_miss='Owner "aks1, Group/Kind: containerservice.azure.com/ManagedCluster" is Ready',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ |\b[Rr]eason(?::| =) \"?)WaitingForOwner\b(?P<owner>)(?P<group>)(?P<kind>)",
            says="the owner is missing or not Ready",
            sample='subnet1 False Warning WaitingForOwner Owner "vnet1, Group/Ki',
            near_miss="subnet1 True Succeeded",
            weight=TYPICAL,
            unless=r"cannot be found|Has the server been provisioned",
        ),
    ),
    why="ASO creates a resource only when the Kubernetes object named in spec.owner exists in the same namespace and is Ready. It prints that the owner cannot be found in both cases, so only a look at the owner tells an absent owner from one that fails itself.",
    remedy=(
        Step(
            "See whether the owner exists in this namespace, and what its Ready condition says.",
            run=("kubectl", "get", "azure", "-n", "{namespace}"),
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
