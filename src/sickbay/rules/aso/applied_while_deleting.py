from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object was applied again while its deletion is still running (resource is currently deleting)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"resource is currently deleting; it can ?not be applied",
            says="the object is being deleted and cannot be applied",
            sample="Warning DetermineCreateOrUpdateActionError 5s ServerController resource is currently deleting; it can not be applied",
            near_miss="the resource is currently being created",
            passes=True,
        ),
    ),
    why="The Ready condition says Deleting, so ASO waits for the deletion in Azure and does not apply the spec: the object was created anew, or changed, before the old one was gone. It goes on once the deletion has ended; a deletion that never ends has a cause of its own (a lock, dependents, missing rights).",
    remedy=(
        Step(
            "See how long the deletion runs and what it waits for.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "involvedObject.name={name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the deletion, then apply again; with GitOps tools keep prune and sync of the same object in two steps.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get events -n {namespace}",
)
