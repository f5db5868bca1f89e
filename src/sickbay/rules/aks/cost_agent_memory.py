from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Rule, Severity, Signature, Step, each


@each(Pod)
def outgrows_its_limit(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not pod.name.startswith("cost-analysis-agent-"):
        return None
    for container in pod.statuses:
        ended = container.last_termination
        if ended and ended.reason == "OOMKilled":
            return Match(
                f"container {container.name} of {pod.name} was killed for want of memory, {container.restart_count or 0} restarts",
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].lastState.terminated.reason",
                        ended.reason,
                    ),
                ),
                at=ended.finished_at or "",
            )
    return Clear(f"{pod.name} has memory enough")


RULE = Rule(
    title="The cost analysis agent runs out of its fixed memory: the cluster is too large for it",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        outgrows_its_limit,
        Signature(
            pattern=r"cost-analysis-agent.{0,200}?OOMKilled|OOMKilled.{0,200}?cost-analysis-agent",
            says="the cost agent was killed for want of memory",
            sample="kube-system   cost-analysis-agent-6f776c8fb5-9nq4t   2/3   OOMKilled   14   2d",
            near_miss="kube-system   cost-analysis-agent-6f776c8fb5-9nq4t   3/3   Running   0   2d",
        ),
    ),
    why="The agent has a limit of 4 GB that cannot be changed, which is enough for about 7000 containers.",
    remedy=(
        Step(
            "Disable the add-on on this cluster.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--disable-cost-analysis",
            ),
            verify="kubectl get pods -n kube-system -l app=cost-analysis-agent finds nothing",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/aks-cost-analysis-add-on-issues",
    ),
    leads_to=("kubernetes.oom_killed",),
)
