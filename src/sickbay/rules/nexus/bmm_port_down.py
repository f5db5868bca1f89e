from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine is Degraded: port down or port flapping",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bDegraded: port (?:is )?(?:down|flapping)|\bBMMHasPort(?:Down|Flapping)StatusCondition\b",
            says="Azure reports a network port of the machine as down or flapping",
            sample="The OS is provisioned to the machine. Degraded: port down",
            near_miss="The OS is provisioned to the machine. Degraded: NIC failed",
        ),
        Signature(
            pattern=r"(?i)\bPortDown\b.{0,200}?Physical link\(?s?\)? down: (?P<port>[\w.,: -]{1,60})|Physical link\(?s?\)? down: (?P<ports>[\w.,: -]{1,60})",
            says="a physical link of the machine is down",
            sample="PortDown: Physical link(s) down: 4b_p1",
            near_miss="PortUp: Physical link(s) up: 4b_p1",
        ),
        Signature(
            pattern=r"(?i)\bPortFlapping(?:Detected)?\b|Port flapping in the last \d+ min",
            says="a port of the machine goes up and down",
            sample="PortFlappingDetected: Port flapping in the last 15 mins: 4b_p1 (2 times)",
            near_miss="No port changed its state in the last 15 mins: 4b_p1",
        ),
    ),
    why="The operating system sees the physical link of a network card down (PortDown: the link is down) or changing its state again and again (PortFlappingDetected). The machine is cordoned on its own after 15 minutes, so that no new workload lands on it, and uncordoned two hours after the link is stable again.",
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
            "Check the cable, the optics and the switch port of the interface that the condition names; reseat them, then replace them one by one.",
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
