from sickbay.model.aso import OPERATOR_OF, AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_OPERATOR = "azureserviceoperator-controller-manager"


@each(AsoObject)
def its_operator_is_gone(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    home = thing.annotations.get(OPERATOR_OF, "")
    running = [one.namespace for one in snapshot.grouped(Deployment, "name", _OPERATOR)]
    if not home or not running:
        return None
    if home in running:
        return Clear(f"the operator of {thing.name} is in namespace {home}")
    snapshot.require(Deployment, home)
    return Match(
        f"{thing.object_kind} {thing.name} belongs to the operator in namespace {home}, where none is; one runs in {running[0]}",
        facts={"one": running[0], "other": home},
        cites=(thing.cite(f"metadata.annotations.{OPERATOR_OF}", home),),
    )


RULE = Rule(
    title="Two ASO installations claim the same object, or one that is gone still does (Overlap)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        its_operator_is_gone,
        Signature(
            pattern=r'Operators in "(?P<one>[\w.-]+)" and "(?P<other>[\w.-]+)" are both configured to manage this resource',
            says="the operators in {one} and {other} both manage an object",
            sample='Overlap: Operators in "aso1" and "aso2" are both configured to manage this resource',
            near_miss='Operators in "aso1" and "aso2" are configured to manage different namespaces',
        ),
    ),
    why="Each installation marks the objects that it manages with its own namespace. Their target namespaces overlap, so both operators write to the same object and to Azure.",
    remedy=(
        Step(
            "See where operators run.",
            run=(
                "kubectl",
                "get",
                "deployments",
                "-A",
                "-l",
                "control-plane=controller-manager",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give each operator its own AZURE_TARGET_NAMESPACES, or remove one installation.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -A --field-selector reason=Overlap lists nothing new",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/multitenant-deployment/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get deployments -A -l control-plane=controller-manager",
)
