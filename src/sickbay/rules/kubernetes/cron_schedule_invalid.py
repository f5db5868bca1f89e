from sickbay.model.addons import CronJob
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_FIELDS = 5


@each(CronJob)
def has_odd_schedule(job: CronJob, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    schedule = (job.spec.schedule or "").strip()
    if not schedule:
        return None
    # A zone may stand before the fields, and a word such as @daily in their place.
    fields = schedule.split()[1 if "TZ=" in schedule else 0 :]
    if schedule.startswith("@") or len(fields) == _FIELDS:
        return Clear(f"the schedule of {job.namespace}/{job.name} has its fields")
    return Match(
        f"cron job {job.namespace}/{job.name} has the schedule {schedule!r} of {len(fields)} fields instead of {_FIELDS}",
        facts={"job": job.name},
        cites=(job.cite("spec.schedule", schedule),),
    )


RULE = Rule(
    title="The schedule or time zone of a cron job cannot be read, so it never runs",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        has_odd_schedule,
        Signature(
            pattern=r'(?i)unparseable schedule:? "?(?P<schedule>[^"]{1,60})"?|UnparseableSchedule|Unable to parse schedule|UnknownTimeZone|invalid timeZone|expected exactly 5 fields, found \d+',
            says="the schedule of a cron job cannot be read",
            sample='Warning  UnparseableSchedule  3s  cronjob-controller  unparseable schedule: "0 3 * *" : expected exactly 5 fields, found 4: [0 3 * *]',
            near_miss="Normal  SuccessfulCreate  3s  cronjob-controller  Created job report-28",
        ),
    ),
    why="A cron job runs when its schedule of five fields (minute, hour, day, month, weekday) matches, in the time zone of timeZone; a schedule or zone that cannot be read never matches.",
    remedy=(
        Step(
            "See schedule and zone.",
            run=(
                "kubectl",
                "get",
                "cronjobs",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the schedule.",
            run=(
                "kubectl",
                "patch",
                "cronjob",
                "{job}",
                "-n",
                "{namespace}",
                "-p",
                '{"spec":{"schedule":"<five fields>"}}',
            ),
            verify="kubectl get cronjob -n {namespace} shows a LAST SCHEDULE",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/",),
    ask="kubectl get cronjobs -A -o json",
)
