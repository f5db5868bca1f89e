from math import inf

from sickbay.model.budgets import left_half_drained, on_unready, owner_of, patch_of
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import PodDisruptionBudget
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


@each(PodDisruptionBudget)
def forbids_every_eviction(budget: PodDisruptionBudget, snapshot: Snapshot) -> Match | Clear | None:
    status, name = budget.status, f"{budget.namespace}/{budget.name}"
    if status.disruptions_allowed is None or status.expected_pods == 0:
        return None
    if status.disruptions_allowed > 0:
        return Clear(f"{name} allows {status.disruptions_allowed} evictions")
    if status.expected_pods is None:
        # A table does not tell whether the budget is over any pods at all; a drain that hangs may.
        if node := left_half_drained(snapshot):
            return Match(
                f"{name} has {budget.in_words} and allows 0 evictions, and {node} is cordoned while its pool is failed",
                facts={
                    "pdb": budget.name,
                    "patch": patch_of(budget.spec.min_available, inf),
                    "owner": "",
                    "replicas": "",
                },
                cites=(budget.cite("status.disruptionsAllowed", status.disruptions_allowed),),
                weight=TYPICAL,
            )
        raise UnseenError(Gap(budget.kind, f"pods under {name}", to_open=budget.look))
    healthy, expected = status.current_healthy or 0, status.expected_pods
    if budget.lets_unready_go and not healthy:
        return Clear(f"{name} guards no ready pod, and lets the others go")
    if healthy < expected and (status.desired_healthy or 0) < expected:
        ready = sum(pod.is_ready for pod in budget.guarded(snapshot))
        if ready >= expected:
            return Clear(f"{name} waited for a pod that moved, and all {ready} are ready by now")
    return Match(
        f"{name} has {budget.in_words} with {healthy} of {expected} pods healthy, "
        f"so 0 evictions are allowed{on_unready(budget) if healthy < expected else ''}",
        facts={
            "pdb": budget.name,
            "patch": patch_of(budget.spec.min_available, healthy),
            "owner": owner_of(budget, snapshot),
            "replicas": str(expected + 1),
        },
        cites=(budget.cite("status.disruptionsAllowed", status.disruptions_allowed),),
        # With pods that are not healthy the budget may be right, and what ails them the fault.
        weight=TYPICAL if healthy < expected else None,
    )


RULE = Rule(
    title="A disruption budget forbids every eviction, so nodes cannot be drained",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.SCALING),
    detect=(
        forbids_every_eviction,
        Signature(
            pattern=r"(?i)Cannot evict pod as it would violate the pod's disr|(?:could not be|not|cannot be|failed to) drain(?:ed)?\b.{0,160}?(?:PodDisruptionBudget|disruption budget)|Eviction blocked by Too Many Requests \(usually a pdb\)|Unsatisfiable ?PDB|PDB \S{1,200} has (?:maxUnavailable|minAvailable).{0,80}?can't proceed|often caused by a restrictive Pod Disruption Budget|/eviction\S{0,80} 429 Too Many Requests",
            says="an eviction was refused because of a disruption budget",
            sample="Drain node aks-np1-31-vmss000002 failed when evicting pod cart-7d9: Cannot evict pod as it would violate the pod's disruption budget.",
            near_miss="The disruption budget cart needs 2 healthy pods and has 2 currently",
            ended_by=r"node/\S+ drained|Successfully (?:drained|upgraded) node",
        ),
        Signature(
            pattern=r"(?:(?P<blocked>[\w.-]+/[\w.-]+) )?blocked by pdb (?P<pdb>[\w.-]*\w)",
            says="a disruption budget ({pdb}) refuses an eviction[: {blocked}]",
            sample="PDB debug info: shop/cart-7d9c5b6f4-x2x8k blocked by pdb cart with 0 unready pods.",
            near_miss="PDB debug info: shop/cart-7d9c5b6f4-x2x8k is covered by pdb cart with 0 unready pods.",
        ),
    ),
    why="A node is emptied by evicting its pods one by one, and the API server refuses an eviction that would leave fewer healthy pods than the pod disruption budget (PDB) asks for. A budget that asks for as many pods as there are can never be met.",
    remedy=(
        Step(
            "See which budgets allow no eviction.",
            run=("kubectl", "get", "pdb", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Let one pod go during the drain: lower the budget. Where only pods that are not ready hold it up, unhealthyPodEvictionPolicy AlwaysAllow is enough.",
            run=(
                "kubectl",
                "-n",
                "{namespace}",
                "patch",
                "pdb",
                "{pdb}",
                "--type",
                "merge",
                "-p",
                "{patch}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl -n {namespace} get pdb {pdb} wants ALLOWED DISRUPTIONS >= 1",
        ),
        Step(
            "Or, without lowering it, run one replica more than it asks for.",
            run=("kubectl", "-n", "{namespace}", "scale", "{owner}", "--replicas", "{replicas}"),
            risk=Risk.SAFE,
            verify="kubectl -n {namespace} get pdb {pdb} wants ALLOWED DISRUPTIONS >= 1",
        ),
        Step("Repeat the upgrade or the scale-down, then put the budget back."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/unsatisfiablepdb-error",
    ),
    leads_to=("aks.drain_failed",),
    ask="kubectl get pdb -A -o json",
)
