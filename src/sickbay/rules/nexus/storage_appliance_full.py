from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

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
        Signature(
            pattern=r"(?i)\bnexus-(?:volume|shared)\b.{0,300}?(?:ResourceExhausted|insufficient (?:space|capacity)|no space|not enough space|out of (?:space|capacity))|storage ?appliance\b.{0,160}?(?:insufficient (?:space|capacity)|not enough (?:space|capacity)|out of (?:space|capacity)|is (?:nearly )?full|no (?:free )?space)(?P<level>)",
            says="the appliance has no room",
            sample='failed to provision volume with StorageClass "nexus-volume": rpc error: code = ResourceExhausted desc = insufficient space on storage appliance',
            near_miss='provisioned volume with StorageClass "nexus-volume" on storage appliance',
            weight=TYPICAL,
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
    leads_to=("nexus.volume_publish_failed", "kubernetes.claim_unbound"),
    ask="az networkcloud storageappliance list -o table",
)
