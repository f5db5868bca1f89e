from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def owner_is_not_ready(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not (thing.owner_name or thing.owner_wanted) or not thing.is_of_aso:
        return None
    # An object with a trouble of its own has passed its owner.
    if thing.trouble and thing.trouble.reason != "WaitingForOwner":
        return None
    owner = thing.owner_in(snapshot)
    if owner is None:
        snapshot.require(AsoObject, thing.namespace)
        return None
    if owner.is_ready:
        return Clear(f"its owner {owner.object_kind} {owner.name} is Ready")
    ready = owner.ready
    state = f"is not Ready: {ready.reason}" if ready else "has no Ready condition"
    if ready and ready.severity == "Info":
        state = f"is still being worked on: {ready.reason}"
    return Match(
        f"{owner.object_kind} {owner.name}, the owner of {thing.object_kind} {thing.name}, exists but {state}",
        facts={"owner": owner.name, "kind": owner.object_kind},
        cites=(owner.cite("status.conditions[type=Ready].reason", ready and ready.reason),),
    )


RULE = Rule(
    title="The owner of an ASO object exists but is not Ready, so what belongs to it waits (WaitingForOwner)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        owner_is_not_ready,
        Signature(
            pattern=r"Owner exists but is not ready\. Current condition(?:.{0,300}?Status = '?(?P<state>\w+))?|\b[Oo]wning \w+ \W{0,2}[\w.-]+\W{0,2} .{0,60}?not set\. Has the server been provisioned successfully",
            says="the owner exists and is not Ready",
            sample='I1115 22:34:13.657253 9357 arm_generic_reconciler.go:101] "Owner exists but is not ready. Current condition" logger="network_virtualnetworkssubnet" name="subnet1" namespace="shop" ready="Condition [Ready], Status = \'False\'"',
            near_miss="Owner exists and is ready",
            passes=True,
        ),
    ),
    why="ASO says that an owner cannot be found also when it is there and not Ready: what belongs to it is created afterwards. What keeps the owner from Ready is the cause of both, and while the owner is still being created there is nothing to mend.",
    remedy=(
        Step(
            "See what the owner itself says.",
            run=("kubectl", "describe", "azure", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "End what keeps the owner from Ready; the objects below it go on within 30 s by themselves.",
            verify="kubectl get azure -n {namespace} wants READY True for the owner",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://azure.github.io/azure-service-operator/guide/ownership/",
    ),
    leads_to=("aso.waiting_for_owner",),
    ask="kubectl describe azure -n {namespace}",
)
