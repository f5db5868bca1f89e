from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A node could not be drained",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bPodDrainFailure\b|[Dd]rain(?:ing)?(?: of)?(?: the)? node:? '?(?P<node>[\w.-]+?)'? (?:failed|did not complete|timed out)|[Dd]rain (?:did not complete|gave up|timed out)|[Dd]rain of '?[\w.-]+'? did not complete|aka\.ms/aks/debugdrainfailures|[Ff]ailed to drain node|[Ee]rror draining (?:node|VM)|Eviction blocked by|error when evicting pod|drain errors? on node",
            says="draining a node failed",
            sample="Code: PodDrainFailure Message: Drain node aks-np1-31-vmss000002 failed when evicting pod cart-7d9",
            near_miss="Drain node aks-np1-31-vmss000002 completed",
            weight=SYMPTOM,
            ended_by=r"node/\S+ drained|Successfully (?:drained|upgraded) node",
        ),
    ),
    why="An upgrade, a scale-down or a repair empties a node before it touches it, and stops when a pod does not leave.",
    remedy=(
        Step(
            "See which pods are left on the node and why.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove what holds the pods (a disruption budget, a finalizer, a pod stuck in Terminating), then repeat the operation."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure",
    ),
    leads_to=("aks.operation_failed", "aks.client_stopped_waiting"),
)
