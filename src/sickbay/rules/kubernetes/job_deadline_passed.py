from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Job
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Job)
def ran_out_of_time(job: Job, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    failure = job.failure
    if failure is None or failure.reason != "DeadlineExceeded":
        return Clear(f"job {job.namespace}/{job.name} did not run out of time")
    return Match(
        f"job {job.namespace}/{job.name} was stopped after its deadline of {job.spec.active_deadline_seconds or 'some'} seconds",
        facts={"job": job.name},
        cites=(job.cite("status.conditions[Failed].reason", failure.reason),),
        at=failure.last_transition_time or "",
    )


RULE = Rule(
    title="A job took longer than its deadline (DeadlineExceeded)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        ran_out_of_time,
        Signature(
            pattern=r"Job was active longer than specified deadline|\bDeadlineExceeded\b.{0,60}?[Jj]ob was active",
            says="a job ran out of time",
            sample="Warning  DeadlineExceeded  3s  job-controller  Job was active longer than specified deadline",
            near_miss="Warning  BackoffLimitExceeded  3s  job-controller  Job has reached the specified backoff limit",
        ),
    ),
    why="activeDeadlineSeconds bounds the life of a job, waiting for a node and pulling the image included; Kubernetes then ends its pods and marks it failed.",
    remedy=(
        Step(
            "See how long its pods waited and ran.",
            run=(
                "kubectl",
                "describe",
                "job",
                "{job}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise activeDeadlineSeconds or remove what the pods wait for, then run it again.",
            run=(
                "kubectl",
                "delete",
                "job",
                "{job}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get job -n {namespace} wants COMPLETIONS 1/1",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup",
    ),
    leads_to=("kubernetes.condition_timeout",),
    ask="kubectl get jobs -A -o json",
)
