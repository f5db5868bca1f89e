from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="An ASO reference holds an ARM id in its name field instead of armId",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
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
