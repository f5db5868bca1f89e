from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="etcd holds too many or too large objects, and nears its size limit",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"mvcc: ?database space exceeded|etcdserver: no space|\b(?:etcd_db_total_size_in_bytes|apiserver_storage_(?:db_total_)?size_(?:in_)?bytes|apiserver_storage_db_total_size_in_bytes)(?:\{[^}]{0,200}\})? (?P<bytes>[2-9](?:\.\d+)?e\+09|[2-9]\d{9})\b|(?i:etcd memory .{0,60}?(?:above|exceed\w*|over) \d+ ?Gi?B)",
            says="the store of the control plane is too large",
            sample="Error from server: etcdserver: mvcc: database space exceeded",
            near_miss='apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 3.1e+08',
        ),
    ),
    why="etcd of an AKS control plane holds at most 8 GB, and slows down or runs out of memory (the AKS detector warns above 20 GiB) well before. Jobs, events, secrets, failed pods and custom resources that nobody deletes pile up; at the limit every write ends with `mvcc: database space exceeded`.",
    remedy=(
        Step(
            "See the size, and which kinds are the most.",
            run=(
                "kubectl",
                "get",
                "--raw",
                "/metrics",
            ),
            risk=Risk.READ,
            verify="apiserver_storage_objects and apiserver_storage_size_bytes in the output",
        ),
        Step(
            "Delete jobs that are done.",
            run=(
                "kubectl",
                "delete",
                "jobs",
                "-A",
                "--field-selector",
                "status.successful=1",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Delete pods that failed.",
            run=(
                "kubectl",
                "delete",
                "pods",
                "-A",
                "--field-selector",
                "status.phase=Failed",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="apiserver_storage_size_bytes in /metrics wants to fall below 2 GB",
        ),
        Step(
            "Set ttlSecondsAfterFinished on jobs, revision limits on deployments, and object quotas in namespaces."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-apiserver-etcd",
    ),
    leads_to=(
        "kubernetes.api_overloaded",
        "network.api_timeout",
    ),
    ask="kubectl get --raw /metrics",
    spreads=True,
)
