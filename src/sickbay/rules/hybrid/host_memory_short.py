from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No host of the Azure Local or Windows Server cluster has enough memory or processors for the new machine",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to find a Node that satisfies the input requirement|not enough memory available\b.{0,60}?\bnodes?\b|not enough memory (?:in the system )?to start the virtual machine|could not (?:be )?(?:initialize|start).{0,40}?Not enough memory in the system",
            says="no host has room for the machine",
            sample="cannot create vm: rpc error: code = Unknown desc = Unable to find a Node that satisfies the input requirement. Total Nodes [2]: OutOfCapacity",
            near_miss="found a Node that satisfies the input requirement. Total Nodes [2]",
            unless=r"\bGPUs?\b",
        ),
        Signature(
            pattern=r"rpc error: .{0,400}?(?:: |\b)(?P<code>OutOfMemory|OutOfNodeCapacity|OutOfCapacity)\b",
            says="MOC says {code}",
            sample="failed to create vm: rpc error: code = Unknown desc = cannot start virtual machine moc-l1: OutOfMemory",
            near_miss="rpc error: code = Unknown desc = cannot start virtual machine moc-l1: InvalidInput",
            unless=r"(?i)doesn't expose any nodes|\b(?:disk|space|storage|volume|container path|GPUs?)\b",
            weight=TYPICAL,
        ),
    ),
    why="MOC places every node of a cluster on one host whose free memory and processors hold its size. When none has them, the machine is not created (OutOfCapacity), and creation, scaling or the surge of an upgrade waits until it times out. Hosts in maintenance or paused do not count.",
    remedy=(
        Step(
            "See the free memory of every host.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Get-CimInstance Win32_OperatingSystem -ComputerName $_ } | Format-Table CSName,FreePhysicalMemory",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Free memory, resume paused hosts, or choose a smaller size or fewer nodes.",
        ),
        Step(
            "Repeat the operation.",
            verify="the machine is placed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/azure/aks/aksarc/scale-requirements",
    ),
    ask="az aksarc show -g {resource_group} -n {cluster} --query properties.status",
)
