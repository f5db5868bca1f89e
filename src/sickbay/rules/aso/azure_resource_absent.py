from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def is_skipped_and_absent(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    trouble = thing.trouble
    if trouble is None or trouble.reason != "AzureResourceNotFound":
        return None
    return Match(
        f"{thing.object_kind} {thing.name} has the policy {thing.policy or 'skip'}, and Azure has no such resource",
        cites=(thing.cite("status.conditions[type=Ready].reason", trouble.reason),),
    )


RULE = Rule(
    title="An ASO object with policy skip stands for an Azure resource that does not exist (AzureResourceNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_skipped_and_absent,
        Signature(
            pattern=r"Reason: AzureResourceNotFound,? Severity|Reason = \W{0,4}AzureResourceNotFound\b|\bFalse Warning AzureResourceNotFound\b|^AzureResourceNotFound: ",
            says="the resource does not exist in Azure",
            sample="res1 False Warning AzureResourceNotFound resource with policy skip does not exist in Azure",
            near_miss="res1 True  Succeeded",
        ),
    ),
    why="With the reconcile-policy skip ASO only reads, so the resource must already be in Azure. It is not there, and ASO may not create it.",
    remedy=(
        Step(
            "See the annotations of the object: resource-id is what ASO looks for.",
            run=(
                "kubectl",
                "get",
                "azure",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the resource in Azure, correct azureName and owner, or set reconcile-policy to manage so that ASO creates it.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/annotations/",),
    leads_to=("aks.resource_not_found", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
