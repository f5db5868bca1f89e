from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The fabric configuration cannot be committed without a configuration lock",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)(?:commit|device[- ]configuration|diff)\b.{0,160}?(?:requires?|needs?|must be (?:in|under)|should be (?:in|under)|(?:is )?not (?:in|under)|without) (?:a |the )?configuration(?:al)? ?-?lock",
            says="the fabric is not under configuration lock",
            sample="Commit configuration failed as the network fabric is not in Configuration locked state.",
            near_miss="Commit configuration done; the network fabric left the Configuration locked state.",
            weight=TYPICAL,
        ),
    ),
    why="With the second commit workflow (fabric version 5.0.1 and later) the fabric must be put under configuration lock before the difference can be viewed and committed, so that what was reviewed is what reaches the devices.",
    remedy=(
        Step(
            "Lock the configuration.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "lock-fabric",
                "--action",
                "Lock",
                "--lock-type",
                "Configuration",
                "--network-fabric-name",
                "{name}",
                "-g",
                "{resource_group}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See what would change on the devices.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "view-device-configuration",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Commit.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "commit-configuration",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric fabric show -g {resource_group} --resource-name {name} wants configurationState Provisioned or Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/concepts-commit-workflow-v2",),
    leads_to=("nexus.config_not_committed",),
    ask="az networkfabric fabric show -g {resource_group} --resource-name {name} --query fabricLocks",
)
