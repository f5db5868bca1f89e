from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import misplaced_ids
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Rule, Severity, Signature, Step, each


@each(AsoObject)
def name_is_an_arm_id(thing: AsoObject, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for need in misplaced_ids(thing.wanted) if thing.is_of_aso else ():
        return Match(
            f"{need.path}.name of {thing.object_kind} {thing.name} holds the ARM id {need.name}",
            facts={"id": need.name},
            cites=(thing.cite(f"{need.path}.name", need.name),),
        )
    return None


RULE = Rule(
    title="An ASO reference holds an ARM id in its name field instead of armId",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        name_is_an_arm_id,
        Signature(
            pattern=r"'name' looks like it might be an ARM ID; did you mean 'armID: (?P<id>[^']{1,500})'",
            says="an ARM id stands in the name of a reference",
            sample="couldn't resolve reference default//subscriptions/0/resourceGroups/rg1. 'name' looks like it might be an ARM ID; did you mean 'armID: /subscriptions/0/resourceGroups/rg1'?",
            near_miss="couldn't resolve reference default/nsg1: default/nsg1 is being looked up",
        ),
    ),
    why="The name of a reference is the name of a Kubernetes object; a resource that lives only in Azure is given by armId, with group, kind and name left out.",
    remedy=(
        Step(
            "Write the id as armId, and leave out group, kind and name: armId: {id}",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace} -o yaml",
)
