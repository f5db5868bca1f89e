from sickbay.model.addons import CronJob
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# The controller looks every ten seconds.
_ROUND = 10


@each(CronJob)
def starts_too_late(job: CronJob, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    deadline = job.spec.starting_deadline_seconds
    if deadline is None or deadline >= _ROUND:
        return Clear(f"cron job {job.namespace}/{job.name} has time enough to start")
    return Match(
        f"cron job {job.namespace}/{job.name} must start within {deadline} seconds, less than the {_ROUND} between two looks of the controller",
        facts={"job": job.name},
        cites=(job.cite("spec.startingDeadlineSeconds", deadline),),
    )


RULE = Rule(
    title="A cron job has missed too many starts and no longer runs",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        starts_too_late,
        Signature(
            pattern=r"(?i)too many missed start times?|TooManyMissedTimes|Missed scheduled time to start a job|\bMissSchedule\b",
            says="a cron job missed its starts",
            sample="Warning  TooManyMissedTimes  3s  cronjob-controller  too many missed start times: 101. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
            near_miss="Normal  SuccessfulCreate  3s  cronjob-controller  Created job report-28",
        ),
    ),
    why="After more than 100 missed starts (the controller was down, the job was suspended for long, concurrencyPolicy Forbid with a job that never ends) the controller gives up counting and starts nothing. A startingDeadlineSeconds shorter than its ten-second round has the same effect.",
    remedy=(
        Step(
            "See when it last ran, and what is active.",
            run=(
                "kubectl",
                "describe",
                "cronjob",
                "{job}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set startingDeadlineSeconds, so that only recent starts are counted.",
            run=(
                "kubectl",
                "patch",
                "cronjob",
                "{job}",
                "-n",
                "{namespace}",
                "-p",
                '{"spec":{"startingDeadlineSeconds":200}}',
            ),
            verify="kubectl get cronjob -n {namespace} shows a fresh LAST SCHEDULE",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#starting-deadline",
    ),
    ask="kubectl get cronjobs -A -o json",
)
