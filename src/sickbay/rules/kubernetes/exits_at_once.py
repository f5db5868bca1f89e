from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def completes_at_once(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container, ended in pod.crashing:
        if ended.exit_code == 0:
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} ends at once with exit code 0 and is started again",
                facts={"container": container.name, "code": str(ended.exit_code)},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].lastState.terminated.exitCode",
                        ended.exit_code,
                    ),
                ),
                at=ended.finished_at or "",
            )
    return None


RULE = Rule(
    title="A container completes with exit code 0 where a running server is expected (crash loop of Completed)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        completes_at_once,
        Signature(
            pattern=r"Reason: CrashLoopBackOff Last State: Terminated Reason: Completed Exit Code: 0",
            says="a container completes with exit code 0 and is started again",
            sample="State: Waiting\n  Reason:       CrashLoopBackOff\nLast State:     Terminated\n  Reason:       Completed\n  Exit Code:    0",
            near_miss="State: Terminated\n  Reason:       Completed\n  Exit Code:    0",
        ),
    ),
    why="The main process has nothing to do and ends well; a Deployment restarts whatever ends, so a task that runs to completion, or a shell without a terminal, looks like a crash loop.",
    remedy=(
        Step(
            "Read what the container did.",
            run=("kubectl", "logs", "{pod}", "-n", "{namespace}", "--previous"),
            risk=Risk.READ,
        ),
        Step(
            "Run a task as a Job or CronJob, or give the container a command that stays in the foreground.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running or Completed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/pod-stuck-crashloopbackoff-mode",
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
    ),
    leads_to=("kubernetes.crash_loop",),
)
