from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage appliance of a Nexus site is nearly full",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"\bSACapacityThreshold(?P<level>Degraded|Unhealthy)\b",
            says="the appliance is beyond its capacity threshold",
            sample="Resource health: SACapacityThresholdDegraded",
            near_miss="Resource health: SACapacityHealthy",
        ),
    ),
    why="The appliance reports SACapacityThresholdDegraded at 80 percent and SACapacityThresholdUnhealthy at 90 percent; when it is full, new volumes and writes fail.",
    remedy=(
        Step("See the volumes.", run=("kubectl", "get", "pv", "-A"), risk=Risk.READ),
        Step(
            "Delete volumes that nobody needs; it takes up to 24 hours until the room is free. Else extend the array.",
            risk=Risk.DESTRUCTIVE,
            verify="the resource health of the appliance wants Available",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-unhealthy-degraded-storage-appliance",
    ),
    leads_to=("nexus.volume_publish_failed",),
    ask="az networkcloud storageappliance list -o table",
)
