from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A cron job is skipped because its last run has not ended (concurrencyPolicy Forbid)",
    severity=Severity.INFO,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)\bJobAlreadyActive\b|Not starting job because prior execution is (?:still )?running",
            says="a run was skipped",
            sample="Normal  JobAlreadyActive  3s  cronjob-controller  Not starting job because prior execution is running and concurrency policy is Forbid",
            near_miss="Normal  SuccessfulCreate  3s  cronjob-controller  Created job report-28",
        ),
    ),
    why="With concurrencyPolicy: Forbid the next run waits until the last job has ended; a job that hangs therefore stops the schedule for good.",
    remedy=(
        Step(
            "See the job that is still active.",
            run=(
                "kubectl",
                "get",
                "jobs",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend or delete the job that hangs, and bound it by activeDeadlineSeconds.",
            run=(
                "kubectl",
                "delete",
                "job",
                "<job>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get cronjob -n {namespace} shows a fresh LAST SCHEDULE",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#concurrency-policy",
    ),
    ask="kubectl get jobs -A -o json",
)
