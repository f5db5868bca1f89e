from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine reports disk I/O errors",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bDiskIOErrorDetected\b|Warning: Disk I/O failures detected|Disk I/O errors detected in the last \d+ min(?: for device\(s\): (?P<device>[\w, ]+))?",
            says="a disk of the machine has I/O errors",
            sample="DiskIOErrorDetected: Disk I/O errors detected in the last 15 min for device(s): sda",
            near_miss="DiskIOHealthy: No persistent disk I/O errors detected",
        ),
    ),
    why="The kernel logged disk I/O errors (DiskIOErrorDetected) within the last fifteen minutes. A failing disk takes down whatever uses it, first the operating system.",
    remedy=(
        Step(
            "See what Azure says of the machine.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "{status:detailedStatus,message:detailedStatusMessage,cordon:cordonStatus,power:powerState,ready:readyState}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Replace the disk, then run the replace action of the machine.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatusMessage without Degraded or Warning",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-warning",
    ),
    leads_to=("nexus.bmm_not_ready",),
    ask="az networkcloud baremetalmachine list -o table",
)
