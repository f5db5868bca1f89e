from sickbay.model.ids import Ref
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import PodDisruptionBudget
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


def covering(snapshot: Snapshot) -> dict[Ref, list[PodDisruptionBudget]]:
    """The budgets that cover each pod, by their names."""
    found: dict[Ref, list[PodDisruptionBudget]] = {}
    for budget in sorted(snapshot.some(PodDisruptionBudget), key=lambda one: one.name):
        for pod in budget.links(snapshot):
            found.setdefault(pod, []).append(budget)
    return found


@each(PodDisruptionBudget)
def shares_its_pods(budget: PodDisruptionBudget, snapshot: Snapshot) -> Match | Clear | None:
    """Asked of the later of two budgets, so that a pair is found once."""
    covered = snapshot.once(covering)
    shared: dict[str, list[Ref]] = {}
    others: dict[str, PodDisruptionBudget] = {}
    for pod in budget.links(snapshot):
        for other in covered.get(pod, ()):
            if other.name < budget.name:
                shared.setdefault(other.name, []).append(pod)
                others[other.name] = other
    if not shared:
        snapshot.require(PodDisruptionBudget, budget.namespace)
        snapshot.require(Pod, budget.namespace)
        return Clear(f"{budget.name} shares no pod with another budget")
    first = min(shared)
    pods = sorted(shared[first])
    return Match(
        f"budgets {first} and {budget.name} of {budget.namespace} both cover {len(pods)} pods, {pods[0].name} first",
        facts={"namespace": budget.namespace, "budget": budget.name},
        cites=(
            budget.cite("spec.selector", budget.name),
            others[first].cite("spec.selector", first),
        ),
    )


RULE = Rule(
    title="A pod is covered by several disruption budgets, so it can never be evicted",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        shares_its_pods,
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
            run=("kubectl", "delete", "pdb", "{budget}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the drain gets past the pod",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/disruptions/",),
    leads_to=("aks.drain_failed",),
    ask="kubectl get pdb -n {namespace} -o wide",
)
