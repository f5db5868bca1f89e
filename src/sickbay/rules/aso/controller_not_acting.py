from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AsoObject, weight=TYPICAL)
def has_no_condition(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    # A manifest that was never applied has no uid, and nobody has seen it yet.
    if not thing.metadata.uid or not thing.is_of_aso:
        return None
    if thing.status.conditions:
        return Clear(f"{thing.name} has a condition")
    return Match(
        f"{thing.object_kind} {thing.name}, created {thing.metadata.creation_timestamp}, has no condition",
        cites=(thing.cite("status.conditions", thing.status.conditions),),
    )


RULE = Rule(
    title="ASO does nothing with an object: it has no Ready condition at all",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(has_no_condition,),
    why="ASO writes a Ready condition within seconds after an object is created. Without one the controller does not act on it: it is down, its CRD is not among crdPattern, its namespace is not among AZURE_TARGET_NAMESPACES, or another operator is meant to manage it.",
    remedy=(
        Step(
            "See whether the controller runs.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read its log.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring it up, or add the namespace to AZURE_TARGET_NAMESPACES and the kind to crdPattern.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} shows a READY column that is not empty",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
    ),
    leads_to=("aso.owner_not_ready", "aso.waiting_for_owner"),
)
