from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The PXE port of a bare-metal machine is unhealthy",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)PXE port is unhealthy|\bPxePorts?Unhealthy\b|\bBMMPxePortIsUnhealthy\b",
            says="the PXE port of the machine is down",
            sample="The OS is provisioned to the machine. Warning: PXE port is unhealthy",
            near_miss="PxePortsHealthy: PXE network port (pxe) is up and stable",
        ),
    ),
    why="The port over which the machine boots from the network is down. It runs on, but cannot be reimaged or replaced until the port is back.",
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
            "Check the cable and the switch port of the PXE interface.",
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
