from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The static address of a network interface is taken already on its logical network, or not in its pool",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)The address is already in use: Already Set|moc-operator network ?interface .{0,200}?(?:address .{0,60}?already in use|not (?:in|within|part of) .{0,40}?(?:pool|subnet|range|prefix)|Out of range)",
            says="the address of the interface is not free",
            sample="rpc error: code = Unknown desc = The address is already in use: Already Set",
            near_miss="The moc-operator network interface service assigned 10.0.0.14",
        ),
    ),
    why="MOC gives an address of a logical network to one interface at a time. The requested address belongs to another interface (also one of a deleted or failed VM that was left), or lies outside the IP pools of the network.",
    remedy=(
        Step(
            "See which interface has the address.",
            run=(
                "az",
                "stack-hci-vm",
                "network",
                "nic",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the interface that was left, or choose a free address from the pool of the logical network.",
            risk=Risk.DESTRUCTIVE,
            verify="az stack-hci-vm network nic show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/migrate/migrate-troubleshoot",),
    leads_to=("arc.cloud_resource_failed",),
    ask="az stack-hci-vm network nic list -g {resource_group} -o table",
)
