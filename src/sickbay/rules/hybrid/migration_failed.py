from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A live migration of a virtual machine between hosts of Azure Local failed",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bLive migration of \W?(?P<machine>[\w.-]+)\W? (?:failed|did not succeed)|Virtual machine migration operation (?:for \S{1,80} )?failed",
            says="a live migration failed",
            sample="Live migration of 'wl1-md-abc' failed: Virtual machine migration operation failed at migration source.",
            near_miss="Live migration of 'wl1-md-abc' succeeded",
            weight=TYPICAL,
        ),
    ),
    why="Updates and drains move machines from host to host. The move fails when accounts of the hosts cannot be resolved, delegation or the migration network is not set, processors differ, or the target lacks memory; the update then stops at that host.",
    remedy=(
        Step(
            "See the events of the machine.",
            run=(
                "powershell",
                "-Command",
                "Get-WinEvent -LogName Microsoft-Windows-Hyper-V-VMMS-Admin -MaxEvents 50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the event names, move the machine by hand, and resume the update.",
            run=(
                "powershell",
                "-Command",
                "Move-ClusterVirtualMachineRole -Name <vm> -Node <host> -MigrationType Live",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterGroup wants the machine Online on the target",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
)
