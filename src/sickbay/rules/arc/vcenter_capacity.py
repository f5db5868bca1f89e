from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The vSphere cluster has too little free CPU or memory for the VM (HA failover level, reservations)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)Insufficient resources to satisfy configured failover level|The available (?:CPU|Memory) resources in the parent resource pool are insufficient|The host does not have sufficient (?:CPU|memory) (?:capacity|resources) to satisfy the reservation|\bInsufficient(?:FailoverResources|CpuResources|MemoryResources|Resources)Fault\b|No host is compatible with the virtual machine|could not power on VM : (?:No memory|Out of resources)",
            says="no host of the vSphere cluster can take the VM",
            sample="ServerFaultCode: Insufficient resources to satisfy configured failover level for vSphere HA.",
            near_miss="vSphere HA has sufficient resources to satisfy the configured failover level",
        ),
    ),
    why="vCenter admits a VM only when its reservations fit into the resource pool, and, with HA admission control, when the cluster could still lose the configured number of hosts. The appliance VM alone wants 4 vCPUs and 16 GB.",
    remedy=(
        Step(
            "See what is free in the pool.",
            run=("govc", "pool.info", "<resource-pool>"),
            risk=Risk.READ,
        ),
        Step(
            "Free or add capacity, raise the limit of the resource pool, or relax admission control; then repeat.",
            risk=Risk.DISRUPTIVE,
            verify="the VM powers on",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",),
    leads_to=("arc.cloud_resource_failed",),
    ask="govc pool.info <resource-pool>",
)
