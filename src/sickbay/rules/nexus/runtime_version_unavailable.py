from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The target version of a Nexus cluster upgrade is not among its available upgrade versions",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)target ?(?:cluster ?)?version:? '?(?P<version>v?\d[\w.-]*)'?.{0,80}?(?:is not (?:available|supported|valid|newer|in|a valid|listed|greater)|not found|must be (?:greater|newer|higher|one of)|is (?:lower|older|invalid))",
            says="version {version} cannot be upgraded to",
            sample="updateVersion failed: target cluster version 4.11.0 is not in the list of available upgrade versions.",
            near_miss="updateVersion started: Target Cluster Version 4.11.0",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)version '?(?P<version>v?\d[\w.-]*)'? .{0,40}?not (?:in|part of|one of|among) .{0,40}?available ?upgrade ?versions",
            says="version {version} is not offered",
            sample="Cluster upgrade refused: version 4.12.1 is not among the availableUpgradeVersions of the cluster.",
            near_miss="Cluster upgrade accepted: version 4.12.1 is among the availableUpgradeVersions of the cluster.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)available ?Upgrade ?Versions\W{0,4}(?:is |are )?(?:empty|null|\[ ?\]|not (?:set|populated))|target ?(?:cluster ?)?version is (?:not (?:valid|available|supported)|invalid)(?P<version>)",
            says="no version is offered",
            sample="availableUpgradeVersions is empty on the cluster",
            near_miss="availableUpgradeVersions: 3.9.2",
            weight=TYPICAL,
        ),
    ),
    why="A site can be upgraded only to a runtime version that its availableUpgradeVersions list, and that is newer than its own. The list grows with the version of the cluster manager, and skips nothing that must come first.",
    remedy=(
        Step(
            "See which versions are offered, and what runs.",
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
                "{current:clusterVersion,available:availableUpgradeVersions[].targetClusterVersion}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade to one of these, and from there to {version}.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} wants the new clusterVersion",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-cluster-runtime-upgrade-preflight-checks",
    ),
)
