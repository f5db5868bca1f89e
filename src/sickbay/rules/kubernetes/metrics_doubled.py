from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Prometheus query or rule fails because the same series comes from two sources (duplicate series)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"found duplicate series for the match group|many-to-many matching not allowed|multiple matches for labels: (?:many-to-one|grouping labels must ensure)",
            says="two series fit where one is wanted",
            sample='Evaluating rule failed err="found duplicate series for the match group {node=\\"n1\\"} on the right hand-side of the operation: many-to-many matching not allowed: matching labels must be unique on one side"',
            near_miss="Evaluating rule took longer than the interval",
            weight=TYPICAL,
        ),
    ),
    why="A join in the query wants one series for each match group and finds two. Mostly the same exporter (kube-state-metrics, node-exporter) runs twice or is scraped by two jobs, or two clusters write to one store without a label that tells them apart.",
    remedy=(
        Step(
            "See whether an exporter runs or is monitored twice.",
            run=("kubectl", "get", "deployments,daemonsets,servicemonitors,podmonitors", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the second exporter or monitor, or join on the label that tells the two apart (cluster, job, instance)."
        ),
        Step(
            "After a node was renamed or replaced wait until the old series have aged out (five minutes)."
        ),
    ),
    docs=("https://prometheus.io/docs/prometheus/latest/querying/operators/",),
    leads_to=("aks.keda_scaler_fails",),
    ask="kubectl get deployments,daemonsets,servicemonitors,podmonitors -A",
)
