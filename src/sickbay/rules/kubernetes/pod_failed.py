from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_LATE = "DeadlineExceeded"


@each(Pod, TYPICAL)
def ended_for_good(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    # What has an owner is replaced by it; a reason means that Kubernetes ended the pod.
    is_ending = bool(pod.metadata.deletion_timestamp)
    if pod.status.phase != "Failed" or pod.owner or is_ending:
        return None
    if pod.status.reason == _LATE:
        return Match(
            f"{pod.namespace}/{pod.name} ran longer than its activeDeadlineSeconds and was ended, and nothing starts it again",
            facts={"container": next((one.name for one in pod.statuses), "")},
            cites=(pod.cite("status.reason", _LATE),),
        )
    if pod.status.reason:
        return None
    for container in pod.statuses:
        ended = container.last_termination
        if ended and ended.exit_code:
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} ended with exit code {ended.exit_code}, and nothing starts the pod again",
                facts={"container": container.name},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].state.terminated.exitCode",
                        ended.exit_code,
                    ),
                ),
                at=ended.finished_at or "",
            )
    return Clear(f"no container of {pod.namespace}/{pod.name} ended with an error")


RULE = Rule(
    title="A pod without a controller failed, and nothing starts it again",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(ended_for_good,),
    why="A pod that was made by itself, with restartPolicy Never or OnFailure, ends as Failed when its program ends with an error or outlives its activeDeadlineSeconds. No Job or Deployment stands behind it, so nobody tries again and the pod stays as it is.",
    remedy=(
        Step(
            "Read why it ended.",
            run=("kubectl", "logs", "{pod}", "-n", "{namespace}", "-c", "{container}"),
            risk=Risk.READ,
        ),
        Step("Let a Job (once) or a Deployment (for good) run what must succeed."),
        Step(
            "Clear the pod away once it is understood.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get pod {pod} -n {namespace} finds none",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",),
    ask="kubectl logs {pod} -n {namespace} -c {container}",
)
