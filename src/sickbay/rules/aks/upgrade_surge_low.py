from sickbay.model.aks import AgentPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

MANY_STEPS = 30
MINUTES_A_STEP = 10


@each(AgentPool)
def goes_step_by_step(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not (pool.provisioning_state or "").casefold().startswith("upgrading"):
        return None
    count, surge = pool.count or 0, max(1, pool.surge)
    steps = -(-count // surge)
    if steps < MANY_STEPS:
        return Clear(f"{count} nodes of {pool.name} in {steps} steps of {surge}")
    return Match(
        f"{count} nodes of {pool.name} in {steps} steps of {surge}, about {steps * MINUTES_A_STEP // 60} hours",
        cites=(pool.cite("properties.upgradeSettings.maxSurge", surge),),
    )


RULE = Rule(
    title="An upgrade replaces so few nodes at a time that it takes many hours (max surge)",
    severity=Severity.WARNING,
    categories=(Category.UPGRADE,),
    detect=(goes_step_by_step,),
    why="An upgrade goes through a pool in steps of max surge nodes, and each step takes about ten minutes: drain, delete, create. A surge of one in a pool of dozens of nodes makes it last for the better part of a day, in which it is easily taken for stuck.",
    remedy=(
        Step(
            "See how far it is.",
            run=(
                "az",
                "aks",
                "operation",
                "show-latest",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For the next time let more nodes go at once, within quota and addresses.",
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
                "--max-surge",
                "33%",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show --query upgradeSettings.maxSurge wants 33%",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/aks-at-scale-troubleshoot-guide",
        "https://learn.microsoft.com/azure/aks/upgrade-aks-cluster",
    ),
)
