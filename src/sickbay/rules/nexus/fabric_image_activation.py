from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A fabric device could not activate the image of an upgrade",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)\bGnoiOs(?:Activate|Install|Verify)Error\b|\bImage activation failed\b",
            says="a device did not activate its new image",
            sample="GnoiOsActivateError: Image activation failed. rpc error: code = Aborted",
            near_miss="GnoiOsActivate: Image activation done",
        ),
    ),
    why="In an upgrade each device stores the new image and then boots into it over gNOI (GnoiOsActivateError). It stayed on the old one: mostly there is no room on its flash, or the image is damaged.",
    remedy=(
        Step(
            "See the room on the device; an upgrade wants at least 3.5 GB.",
            run=(
                "az",
                "networkfabric",
                "device",
                "run-ro",
                "-g",
                "{resource_group}",
                "--resource-name",
                "<device>",
                "--ro-command",
                "show file systems",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove old images and logs, and start the upgrade of the device again; else open a support request.",
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric device show wants the new version and configurationState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
)
