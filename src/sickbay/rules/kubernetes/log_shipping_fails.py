from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A log or metrics agent cannot hand over its records (failed to flush chunk, error sending batch)",
    severity=Severity.WARNING,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"no upstream connections available|chunk '\S{5,80}' cannot be retried|\[output:\w+:[\w.-]{1,80}\] HTTP status=[45]\d\d|(?:final )?error sending batch|failed to flush the buffer\. |Failed to publish events(?: caused by)?: |Failed to connect to backoff\(|Exporting failed\. (?:Will retry|Dropping|The error is not retryable|Try enabling)|non-recoverable error.{0,60}?(?:remote storage|remote_write|remoteWrite)|Failed to send batch, retrying|(?:document|mapper)_parsing_exception|failed to parse field \[[^\]]{1,120}\] of type",
            says="an agent cannot deliver its records",
            sample="[ warn] [engine] chunk '1-1663439562.735639511.flb' cannot be retried: task_id=35, input=tail.0 > output=kafka.0",
            near_miss="[ info] [engine] flush chunk '1-1663439572.718221096.flb' succeeded at retry 1: task_id=35, input=tail.0 > output=kafka.0",
            weight=SYMPTOM,
            common=True,
        ),
    ),
    why="Fluent Bit, Fluentd, Promtail, Beats, the OpenTelemetry collector and Prometheus keep records that their destination does not take and try again, until they are dropped. The destination is down or not reached, refuses the records (too old, too large, too many labels, wrong credentials), or throttles.",
    remedy=(
        Step(
            "Read the line before the failed flush: it holds the answer of the destination.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct address, credentials or limits of the output, or mend the destination.",
            risk=Risk.SAFE,
            verify="the agent logs no more failed deliveries",
        ),
    ),
    docs=("https://docs.fluentbit.io/manual/administration/scheduling-and-retries",),
    ask="kubectl logs {pod} -n {namespace} --tail=200",
    wraps=True,
)
