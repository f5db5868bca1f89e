from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The disk under the appliance is too slow for etcd, which needs writes within 10 ms",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)slow fdatasync|wal: sync duration of|\"?took too long\"?.{0,200}?(?:range_response|read-only range|etcdserverpb|expected-duration)|leader failed to send out heartbeat on time|apply request took too long",
            says="etcd waits for its disk",
            sample='{"level":"warn","caller":"wal/wal.go:805","msg":"slow fdatasync","took":"1.41s","expected-duration":"1s"}',
            near_miss='{"level":"info","caller":"wal/wal.go:805","msg":"fdatasync","took":"1ms"}',
            weight=TYPICAL,
        ),
    ),
    why="etcd in the appliance wants a disk latency of 10 ms or less. On slower storage it misses heartbeats and drops its leader, calls to the API server time out, and the bridge becomes unreachable or its deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "Measure the write latency of the datastore under the appliance VM.",
        ),
        Step(
            "Redeploy the bridge on flash-backed storage.",
            risk=Risk.DISRUPTIVE,
            verify="the 99th percentile of etcd_disk_wal_fsync_duration_seconds wants < 0.010",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "arc.appliance_offline",
        "arc.kva_timeout",
    ),
    ask="the 99th percentile of etcd_disk_wal_fsync_duration_seconds in the appliance",
)
