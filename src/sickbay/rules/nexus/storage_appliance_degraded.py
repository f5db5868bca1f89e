from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage appliance of a Nexus site is degraded: alerts, latency or network errors",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
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
    ),
    why="The appliance has open alerts, answers too slowly (25 ms counts as degraded, 100 ms as unavailable), or the network to it loses packets or one of its paths.",
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
