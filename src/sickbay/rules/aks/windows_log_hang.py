from sickbay.model.aks import AgentPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

REPAIRED = {"1.23": 13, "1.24": 7}


@each(AgentPool, TYPICAL)
def has_the_fault(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if (pool.os_type or "").casefold() != "windows":
        return None
    version = pool.current_orchestrator_version or pool.orchestrator_version or ""
    release, _, patch = version.rpartition(".")
    first = REPAIRED.get(release)
    if first is None or not patch.isdecimal() or int(patch[:4]) >= first:
        return Clear(f"{version} of node pool {pool.name} rotates its logs")
    return Match(
        f"Windows pool {pool.name} is at {version}, and {release}.{first} has the repair",
        cites=(pool.cite("properties.currentOrchestratorVersion", version),),
    )


RULE = Rule(
    title="A kubelet of Windows hangs while it rotates container logs",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(has_the_fault,),
    why="Kubelets for Windows before 1.23.13 and 1.24.7 cannot rename a compressed log file and hang in its rotation; logs then grow beyond containerLogMaxSize and the disk fills.",
    remedy=(
        Step(
            "Upgrade the pool to a version that has the repair.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--kubernetes-version",
                "<version>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show --query currentOrchestratorVersion wants 1.24.7 or newer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/known-issues-custom-kubelet-configuration",
    ),
    leads_to=("kubernetes.node_disk_pressure",),
)
