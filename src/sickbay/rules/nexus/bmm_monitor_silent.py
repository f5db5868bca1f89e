from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The health agent of a bare-metal machine is silent: the NPD heartbeat is missing",
    severity=Severity.WARNING,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)Health monitoring agent is not responding|Last NPD heartbeat is older than \d+ min|\bNPD heartbeat\b.{0,20}?(?:stale|missing|lost|not received)|node problem detector\b.{0,30}?(?:has not reported|not responding|is silent)",
            says="the node problem detector of the machine has not reported",
            sample="BmmNpdHeartbeatHealthy False: Last NPD heartbeat is older than 15 mins",
            near_miss="Last NPD heartbeat is within the last 15 mins: Node Problem Detector heartbeat is healthy",
        ),
    ),
    why="The node problem detector (NPD) writes a heartbeat; when the last one is older than fifteen minutes, the other health conditions of the machine are stale and hide real faults.",
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
            "Restart the machine when it is otherwise idle; the agent starts with it.",
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
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatusMessage without Degraded or Warning",
        ),
        Step("If the agent stays silent, open a support request."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-warning",
    ),
)
