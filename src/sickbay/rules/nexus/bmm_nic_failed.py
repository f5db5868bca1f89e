from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine is Degraded: NIC failed, devices of its bond are missing",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bDegraded: NIC failed|\bOamDevicesUnhealthy\b|Expected \d+ devices in oam-bond, found \d+",
            says="the machine misses network devices of its management bond",
            sample="OamDevicesUnhealthy: Expected 2 devices in oam-bond, found 1: 98_pf0vf0_vf",
            near_miss="OamDevicesHealthy: found 2 devices in oam-bond",
        ),
    ),
    why="The bond for management traffic expects two virtual functions, one from each network card, and finds fewer: a card, its slot or its firmware failed.",
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
            "Restart the machine once; a device that only its driver lost comes back.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "restart",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Reseat or replace the card, then run the replace action.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatusMessage without Degraded or Warning",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-degraded",
    ),
    leads_to=("nexus.bmm_cordoned",),
    ask="az networkcloud baremetalmachine list -o table",
)
