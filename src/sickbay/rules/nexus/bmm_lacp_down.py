from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine is Degraded: LACP status is down",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bDegraded: LACP status is down|\bBMMHasLACPDownStatusCondition\b|LACP status (?:for interface (?P<interface>[\w.-]+) )?is down",
            says="LACP is down on the machine",
            sample="Error: LACP status for interface 4b_p0 is down, LACP status for interface 4b_p1 is down",
            near_miss="LACP status for interface 4b_p0 is up",
        ),
        Signature(
            pattern=r"(?i)\b802\.3ad info\b.{0,900}?Partner Mac Address: 00:00:00:00:00:00|LACP\b.{0,60}?(?:not negotiated|isn't negotiated|negotiation (?:failed|error)|partner (?:is )?(?:missing|not found|not responding))(?P<interface>)",
            says="the bond has no LACP partner",
            sample="802.3ad info LACP active: on Active Aggregator Info: Aggregator ID: 1 Partner Mac Address: 00:00:00:00:00:00",
            near_miss="802.3ad info LACP active: on Active Aggregator Info: Aggregator ID: 1 Partner Mac Address: 42:56:86:9c:81:89",
            weight=TYPICAL,
        ),
    ),
    why="The link itself is up, but host and switch do not agree on the bond (LACP): the cable goes to a wrong port, the port channel of the switch is not configured, or the device is in maintenance.",
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
            "Compare the cabling of both ports with the bill of materials, and see that the switch ports belong to the port channel of this server.",
            run=("az", "networkfabric", "device", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Correct cabling or port channel.",
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
