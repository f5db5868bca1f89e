from sickbay.model.aks import AgentPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AgentPool)
def is_outside(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    least, most, count = pool.min_count, pool.max_count, pool.count
    if not pool.enable_auto_scaling or pool.is_stopped:
        return None
    if least is None or most is None or count is None:
        return None
    if least <= count <= most:
        return Clear(f"node pool {pool.name} has {count} nodes, between {least} and {most}")
    return Match(
        f"node pool {pool.name} has {count} nodes, and its autoscaler's limits are {least} and {most}",
        facts={"minimum": str(least), "maximum": str(most)},
        cites=(pool.cite("properties.count", count),),
    )


RULE = Rule(
    title="The number of nodes lies outside the autoscaler's limits",
    severity=Severity.INFO,
    categories=(Category.SCALING,),
    detect=(is_outside,),
    why="After a stop and start, or after the limits were changed, a pool can have fewer nodes than the autoscaler's minimum or more than its maximum. The autoscaler holds its limits only with its next scaling action; nothing is wrong.",
    remedy=(
        Step(
            "Wait for the autoscaler's next action, or set the limits anew.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--update-cluster-autoscaler",
                "--min-count",
                "{minimum}",
                "--max-count",
                "{maximum}",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants count between minCount and maxCount",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/node-count-is-not-in-autoscaler-min-max-range",
    ),
)
