from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc agents cannot be upgraded by hand while auto-upgrade is on",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)manually upgrade agents and extensions is only supported when auto-upgrade is set to false",
            says="auto-upgrade is on",
            sample="az connectedk8s upgrade to manually upgrade agents and extensions is only supported when auto-upgrade is set to false.",
            near_miss="az connectedk8s update --auto-upgrade false",
        ),
    ),
    why="The agents upgrade themselves (AZURE_ARC_AUTOUPDATE true), and az connectedk8s upgrade refuses to work beside that. When they do not upgrade on their own, they cannot reach Azure.",
    remedy=(
        Step(
            "Switch automatic upgrades off.",
            run=(
                "az",
                "connectedk8s",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--auto-upgrade",
                "false",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Upgrade by hand.",
            run=(
                "az",
                "connectedk8s",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az connectedk8s show … --query agentVersion",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/agent-upgrade",),
)
