from sickbay.model.host import ApplianceVm
from sickbay.model.snapshot import Snapshot
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

_MOST_MILLISECONDS = 10


@each(ApplianceVm)
def syncs_late(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    took = vm.known(vm.etcd_sync_milliseconds, "the sync times of etcd")
    if took <= _MOST_MILLISECONDS:
        return Clear(f"etcd syncs its log within {took:g} ms")
    return Match(
        f"99 of 100 writes of etcd reach the disk only within {took:g} ms, and 10 ms are the limit",
        cites=(vm.cite("etcdSyncMilliseconds", took),),
        subject=vm.subject,
    )


RULE = Rule(
    title="The disk under the appliance is too slow for etcd, which needs writes within 10 ms",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        syncs_late,
        Signature(
            pattern=r"(?i)slow fdatasync|wal: sync duration of|took too long.{0,60}?\btook\W{1,5}\d+(?:\.\d+)?s\b|took too long \((?:\d+m)?\d+(?:\.\d+)?s\)|leader failed to send out heartbeat on time",
            says="etcd waits for its disk",
            sample='{"level":"warn","caller":"wal/wal.go:805","msg":"slow fdatasync","took":"1.41s","expected-duration":"1s"}',
            near_miss='{"level":"warn","caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"141.2ms","expected-duration":"100ms"}',
            weight=TYPICAL,
            passes=True,
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
