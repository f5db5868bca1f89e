from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Job
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


@each(Job, TYPICAL)
def gave_up(job: Job, snapshot: Snapshot) -> Match | Clear | None:
    failure = job.failure
    if failure is None or failure.reason == "DeadlineExceeded":
        return Clear(f"job {job.namespace}/{job.name} did not use up its attempts")
    if job.is_made_good(snapshot):
        return Clear(f"a later run of the schedule of {job.namespace}/{job.name} has succeeded")
    return Match(
        f"job {job.namespace}/{job.name} failed: {failure.reason or ''} {failure.message or ''}".rstrip(),
        facts={"job": job.name},
        cites=(job.cite("status.conditions[Failed].reason", failure.reason),),
        at=failure.last_transition_time or "",
    )


RULE = Rule(
    title="A job failed and gave up (BackoffLimitExceeded), so what waits for it never becomes ready",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        gave_up,
        Signature(
            pattern=r"BackoffLimitExceeded|Job has reached the specified backoff limit|(?:pre|post)-(?:install|upgrade) hooks? failed|\bPodFailurePolicy\b.{0,80}?[Jj]ob",
            says="a job has used up its attempts",
            sample="job failed: BackoffLimitExceeded",
            near_miss="Normal  Completed  5s  job-controller  Job completed",
            weight=TYPICAL,
            # A job of that name is in the way: it was not even tried.
            unless=r'" already exists',
        ),
        Signature(
            pattern=r"matching FailJob rule at index \d+|\(PodFailurePolicy\)|FailedIndexes|MaxFailedIndexesExceeded",
            says="a job failed by its pod failure policy",
            sample="Container main for pod shop/import-x7 failed with exit code 42 matching FailJob rule at index 0",
            near_miss="Container main for pod shop/import-x7 ended with exit code 0",
            weight=TYPICAL,
        ),
    ),
    why="The pods of the job failed as often as backoffLimit allows; the log of the last pod says why.",
    remedy=(
        Step(
            "Read the log of its last pod.",
            run=(
                "kubectl",
                "logs",
                "job/{job}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend that, delete the job and run it again.",
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
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
    ),
    leads_to=(
        "kubernetes.condition_timeout",
        "kubernetes.release_gave_up",
    ),
)
