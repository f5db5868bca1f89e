from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def azure_does_not_offer_it(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason != "MethodNotAllowed":
        return None
    return Match(
        f"Azure does not allow the operation on {thing.object_kind} {thing.name} ({trouble.reason})",
        cites=(thing.cite("status.conditions[type=Ready].message", trouble.message),),
    )


RULE = Rule(
    title="Azure does not offer this operation for the resource as it is (405 MethodNotAllowed)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        azure_does_not_offer_it,
        Signature(
            pattern=r"Reason: MethodNotAllowed,? Severity|\bFalse (?:Warning|Error) MethodNotAllowed\b|^MethodNotAllowed: |RESPONSE 405: 405 Method Not Allowed",
            says="Azure answered 405, MethodNotAllowed",
            sample="MethodNotAllowed: The request format was unexpected : Support for federated identity credentials not enabled",
            near_miss="The method PUT is allowed for federated identity credentials",
        ),
    ),
    why="The provider knows the resource and refuses the operation on it as such: the region or the state of the resource does not support it, or the type can only be read. Such answers also come for a while during an outage of the service; up to v2.17 ASO does not try again after one.",
    remedy=(
        Step(
            "See what the resource and its region offer.",
            run=("az", "resource", "show", "--ids", "{subject}"),
            risk=Risk.READ,
        ),
        Step(
            "Use a region or a type of identity that supports it; if it worked before, let ASO try again by an annotation.",
            run=(
                "kubectl",
                "annotate",
                "azure",
                "{name}",
                "-n",
                "{namespace}",
                "serviceoperator.azure.com/reconcile-policy=manage",
                "--overwrite",
            ),
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.request_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
