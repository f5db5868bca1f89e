from sickbay.model.nexus import StorageAppliance
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


@each(StorageAppliance)
def appliance_is_degraded(
    appliance: StorageAppliance,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    status = (appliance.detailed_status or "").casefold()
    if not status and not appliance.is_unwell:
        return None
    if status not in {"degraded", "error"} and not appliance.is_unwell:
        return Clear(f"storage appliance {appliance.name} is {appliance.detailed_status}")
    reason = appliance.detailed_status_message
    return Match(
        f"storage appliance {appliance.name} is {appliance.detailed_status or appliance.provisioning_state}"
        + (f": {reason[:200]}" if reason else ""),
        cites=(appliance.cite("properties.detailedStatus", appliance.detailed_status),),
    )


RULE = Rule(
    title="The storage appliance of a Nexus site is degraded: alerts, latency or network errors",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        appliance_is_degraded,
        Signature(
            pattern=r"\bStorageAppliance(?P<what>ActiveAlerts(?:Critical|Warning)|(?:Network)?Latency(?:Degraded|Unavailable)|NetworkErrors\w+)\b",
            says="the appliance reports {what}",
            sample="Resource health: StorageApplianceNetworkLatencyDegraded",
            near_miss="Resource health: StorageApplianceHealthy",
        ),
        Signature(
            pattern=r"\b(?P<what>ControlPlaneStorageConnectivity(?:Degraded|UnhealthyVIP))\b",
            says="the site lost paths to its storage: {what}",
            sample="Resource health: ControlPlaneStorageConnectivityDegraded",
            near_miss="Resource health: ControlPlaneStorageConnectivityHealthy",
        ),
        Signature(
            pattern=r"(?i)\bstorage ?-?appliances?\b.{0,160}?(?P<what>failed|expired|unreachable|unavailable|critical|degraded|not (?:reachable|responding)|error)\b",
            says="the appliance is not well: {what}",
            sample="storageAppliance site1-pure1: failed to enable remote vendor management: certificate expired",
            near_miss="storageAppliance site1-pure1: remote vendor management enabled",
            unless=r"(?i)storageApplianceName|SACapacity|space|capacity|nexus-volume|nexus-shared|active alerts: 0",
            weight=TYPICAL,
        ),
    ),
    why="The appliance has open alerts, answers too slowly (3 ms of its own, or 25 ms seen from the initiator, count as degraded, 100 ms as unavailable), or more than 3 percent of the frames on the network to it are in error, or one of its paths is lost.",
    remedy=(
        Step(
            "See its state.",
            run=("az", "networkcloud", "storageappliance", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Follow the alert on the appliance; check the management switches of the aggregator rack and the links to both controllers.",
            risk=Risk.DISRUPTIVE,
            verify="the resource health of the appliance wants Available",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-unhealthy-degraded-storage-appliance",
    ),
    leads_to=(
        "nexus.volume_publish_failed",
        "nexus.iscsi_portals_missing",
    ),
    ask="az networkcloud storageappliance list -o table",
)
