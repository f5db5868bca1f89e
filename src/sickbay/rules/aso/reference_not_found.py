from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import references_of
from sickbay.model.ids import kube
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
def reference_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(references_of(thing.wanted))
    if not needs:
        return None
    for need in needs:
        if snapshot.find(kube(need.kind, thing.namespace, need.name)) is not None:
            continue
        if not snapshot.has_seen(need.kind, thing.namespace):
            snapshot.require(AsoObject, thing.namespace)
        return Match(
            f"{thing.object_kind} {thing.name} refers to {need.kind} {need.name}, which does not exist in namespace {thing.namespace}",
            facts={"kind": need.kind, "reference": need.name},
            cites=(thing.cite(need.path, f"{need.kind} {need.name}"),),
        )
    names = ", ".join(need.name for need in needs)
    return Clear(f"every object that {thing.name} refers to exists: {names}")


RULE = Rule(
    title="An ASO object refers to another object that does not exist (ReferenceNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        reference_does_not_exist,
        Signature(
            pattern=r"couldn\'{1,2}t resolve reference (?P<namespace>[\w.-]+)/(?P<reference>[\w.-]+): .{0,300}?does not exist \((?P<kind>\w+)\.(?P<group>[\w.-]+) \"[^\"]{1,253}\" not found",
            says="{kind} {reference} does not exist",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: ReferenceNotFound, Severity: Warning, RetryClassification: RetryFast, Cause: failed resolving ARM IDs for references: couldn\'t resolve reference default/nsg1: default/nsg1 does not exist (NetworkSecurityGroup.network.azure.com \\"nsg1\\" not found)" logger="network_virtualnetworkssubnet" name="subnet1" namespace="default"',
            near_miss="couldn't resolve reference default/nsg1. 'name' looks like it might be an ARM ID; did you mean 'armID: /subscriptions/0/resourceGroups/rg1'?",
            passes=True,
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ |\b[Rr]eason(?::| =) \"?)ReferenceNotFound\b(?P<reference>)(?P<kind>)(?P<group>)",
            says="something that the object refers to is not there",
            sample="aks1 False Warning ReferenceNotFound failed resolving ARM IDs f",
            near_miss="aks1 True Succeeded",
            weight=TYPICAL,
            unless=r"looks like it might be an ARM ID",
            passes=True,
        ),
    ),
    why="A reference in the spec names an object by group, kind and name, and ASO looks for it in the same namespace to learn its Azure id. It sends nothing to Azure before every reference resolves.",
    remedy=(
        Step(
            "See which ASO objects the namespace has.",
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
            "Create the object {reference} in the same namespace, or correct the reference; for a resource that ASO does not manage, give armId instead of group, kind and name.",
            verify="kubectl get azure -n {namespace} lists {reference}",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace}",
)
