from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc agents are of a version that is no longer supported",
    severity=Severity.WARNING,
    categories=(
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)you are on an older agent version that is not supported|agent version .{0,40}?(?:is )?(?:out of support|no longer supported|not supported)(?P<version>)|does not support .{0,60}?for Agents older than",
            says="the agents are out of support",
            sample="We found that you are on an older agent version that is not supported. Please visit this link to know the agent version support policy 'https://docs.microsoft.com/en-us/azure/azure-arc/kubernetes/agent-upgrade#version-support-policy'.",
            near_miss="Your agent version is the latest",
        ),
    ),
    why="Only the newest minor version of the agents and the two before it are supported. Agents fall behind when their automatic upgrade is off or cannot reach the chart registry.",
    remedy=(
        Step(
            "See version and automatic upgrade.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[agentVersion,arcAgentProfile]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade the agents.",
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
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query agentVersion wants the newest",
        ),
        Step(
            "Let them upgrade themselves.",
            run=(
                "az",
                "connectedk8s",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--auto-upgrade",
                "true",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/agent-upgrade",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
)
