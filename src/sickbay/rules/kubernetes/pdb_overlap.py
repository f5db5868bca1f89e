from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod is covered by several disruption budgets, so it can never be evicted",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"This pod has more than one PodDisruptionBudget|does not support more than one PodDisruptionBudget",
            says="an eviction was refused because several budgets cover the pod",
            sample='error when evicting pods/"cart-1" -n "shop": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
            near_miss="Cannot evict pod as it would violate the pod's disruption budget.",
        ),
    ),
    why="The eviction API accepts at most one PodDisruptionBudget (PDB) for a pod; with two whose selectors overlap every drain, upgrade and scale-down stops at it.",
    remedy=(
        Step(
            "See the selectors of the budgets.",
            run=("kubectl", "get", "pdb", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the budget that is not needed, or narrow its selector.",
            run=("kubectl", "delete", "pdb", "<budget>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the drain gets past the pod",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/disruptions/",),
    leads_to=("aks.drain_failed",),
    ask="kubectl get pdb -n {namespace} -o wide",
)
