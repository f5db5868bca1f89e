from sickbay.model.addons import CronJob
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_FIELDS = 5
# The most days that each month can have.
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@each(CronJob)
def has_odd_schedule(job: CronJob, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    schedule = (job.spec.schedule or "").strip()
    if not schedule:
        return None
    # A zone may stand before the fields, and a word such as @daily in their place.
    fields = schedule.split()[1 if "TZ=" in schedule else 0 :]
    if len(fields) == _FIELDS and _never_comes(fields):
        return Match(
            f"cron job {job.namespace}/{job.name} has the schedule {schedule!r}: month {fields[3]} has no day {fields[2]}",
            facts={"job": job.name},
            cites=(job.cite("spec.schedule", schedule),),
        )
    if schedule.startswith("@") or len(fields) == _FIELDS:
        return Clear(f"the schedule of {job.namespace}/{job.name} has its fields")
    return Match(
        f"cron job {job.namespace}/{job.name} has the schedule {schedule!r} of {len(fields)} fields instead of {_FIELDS}",
        facts={"job": job.name},
        cites=(job.cite("spec.schedule", schedule),),
    )


def _never_comes(fields: list[str]) -> bool:
    """Whether it names days that none of its months has; a weekday would do as well as a day."""
    days, months, weekdays = (fields[2].split(","), fields[3].split(","), fields[4])
    if weekdays not in {"*", "?"} or not all(part.isdecimal() for part in (*days, *months)):
        return False
    longest = max(_DAYS[(int(month) - 1) % len(_DAYS)] for month in months)
    return min(int(day) for day in days) > longest


RULE = Rule(
    title="The schedule or time zone of a cron job cannot be read or never comes, so it never runs",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        has_odd_schedule,
        Signature(
            pattern=r'(?i)unparseable schedule:? "?(?P<schedule>[^"]{1,60})"?|UnparseableSchedule|invalid schedule: .{1,60}: time difference between two schedules|Unable to parse schedule|UnknownTimeZone|invalid timeZone|expected exactly 5 fields, found \d+',
            says="the schedule of a cron job cannot be read",
            sample='Warning  UnparseableSchedule  3s  cronjob-controller  unparseable schedule: "0 3 * *" : expected exactly 5 fields, found 4: [0 3 * *]',
            near_miss="Normal  SuccessfulCreate  3s  cronjob-controller  Created job report-28",
        ),
    ),
    why="A cron job runs when its schedule of five fields (minute, hour, day, month, weekday) matches, in the time zone of timeZone; a schedule or zone that cannot be read never matches, nor does a day that its month does not have.",
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
