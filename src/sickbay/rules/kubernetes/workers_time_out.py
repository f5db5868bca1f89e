from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The workers of a web server are too few or too slow, and are killed (WORKER TIMEOUT, max_children)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\[CRITICAL\] WORKER TIMEOUT|Worker \(pid:\s?\d+\) was sent SIGKILL|HARAKIRI (?:ON WORKER|\[core|triggered)|worker \d+ \(pid: \d+\) (?:is taking too much time|died)|server reached (?:pm\.)?max_children setting|Terminating timed out worker|uWSGI listen queue of socket .{0,80}? full|AH00484: server reached MaxRequestWorkers|Worker with pid \d+ was terminated due to signal (?:6|9)\b",
            says="worker processes of a web server were killed or are all busy",
            sample="[2026-03-02 07:13:20 +0000] [1] [CRITICAL] WORKER TIMEOUT (pid:23)",
            near_miss="[2026-03-02 07:13:20 +0000] [23] [INFO] Booting worker with pid: 23",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="Gunicorn, uWSGI, Puma and PHP-FPM serve requests with a fixed number of worker processes. A worker that does not answer its master in time is killed, and once all are busy nobody answers: slow requests, a blocked start, too little CPU (throttling), or workers that the kernel killed for lack of memory.",
    remedy=(
        Step(
            "See whether CPU or memory of the pod is at its limit.",
            run=(
                "kubectl",
                "top",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "--containers",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the CPU and memory limits, the number of workers (--workers, pm.max_children) or the timeout (gunicorn --timeout), whichever was short; move slow work out of the request.",
            risk=Risk.DISRUPTIVE,
            verify="the log has no new WORKER TIMEOUT under load",
        ),
    ),
    docs=("https://docs.gunicorn.org/en/stable/settings.html#timeout",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.probe_failed",
        "kubernetes.liveness_kills",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
