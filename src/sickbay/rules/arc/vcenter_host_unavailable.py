from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ESXi host is disconnected or in maintenance mode, so vCenter cannot use it",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)Unable to communicate with the remote host, since it is disconnected|operation is not allowed in the current connection state of the host|(?:ServerFaultCode|vcenter|vsphere|esxi?)\b.{0,120}?host .{0,60}?(?:is in|in) maintenance mode|\bHostNotConnected\b|\bInvalidHostConnectionState\b",
            says="vCenter cannot use the host",
            sample="ServerFaultCode: Unable to communicate with the remote host, since it is disconnected.",
            near_miss="ESXi host esx1 has left maintenance mode and is connected",
        ),
    ),
    why="vCenter passes cloning, uploads and power operations to an ESXi host. A host that is disconnected, not responding or in maintenance mode takes none.",
    remedy=(
        Step("See the state of the hosts.", run=("govc", "host.info", "<host>"), risk=Risk.READ),
        Step(
            "Reconnect the host or let it leave maintenance mode, or choose another cluster or pool; then repeat.",
            risk=Risk.DISRUPTIVE,
            verify="govc host.info wants the state connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/support-matrix-for-arc-enabled-vmware-vsphere",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="govc host.info <host>",
)
