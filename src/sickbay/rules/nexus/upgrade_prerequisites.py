from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Nexus upgrade does not start: platform prerequisites are not satisfied",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Platform prerequisites not satisfied(?:.{0,200}?associated with (?P<resources>[\w/ .-]{2,100}))?",
            says="the preflight of the upgrade found machines that are not ready",
            sample="Preflight validation failed: Platform prerequisites not satisfied: Platform readiness checks failed: Cluster is not ready for upgrade. Fix the resources associated with capiCluster/nodepools rs1111",
            near_miss="Preflight validation passed: Platform prerequisites satisfied",
        ),
    ),
    why="The preflight of a runtime upgrade wants all control-plane machines, more than half of each management group, and the compute machines above the threshold of the strategy to be on, ready and uncordoned. Machines of the racks that the message names are unhealthy.",
    remedy=(
        Step(
            "See which step failed and what it names.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "actionStates",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Find the machines that are off, cordoned or not ready.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "list",
                "--query",
                "[].{name:name,power:powerState,cordon:cordonStatus,ready:readyState,message:detailedStatusMessage}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair or uncordon them, then start the upgrade again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine list -o table wants On, Uncordoned and True for the machines of that rack",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-cluster-runtime-upgrade-preflight-checks",
    ),
    leads_to=("nexus.cluster_failed",),
    ask="az networkcloud baremetalmachine list -o table",
)
