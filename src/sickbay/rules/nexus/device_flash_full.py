from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A fabric device has too little room on its flash for an upgrade",
    severity=Severity.WARNING,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"\b\d{7,12} bytes total \((?P<free>\d{1,9}|1\d{9}|2[0-4]\d{8}) bytes free\)",
            says="only {free} bytes are free on the device",
            sample="3519041536 bytes total (925440000 bytes free)",
            near_miss="8319041536 bytes total (5925440000 bytes free)",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:network ?device|switch|NPB|device)\b.{0,100}?(?:insufficient|not enough|low) (?:free )?(?:disk|flash|storage)(?: space)?(?P<free>)|/mnt/flash\b.{0,60}?(?:is full|no space|GB free, .{0,20}required)|no space left on device\b.{0,60}?/mnt/flash\b",
            says="a device reports too little free space",
            sample="Device upgrade validation failed: network device rack1-tor1 has insufficient disk space on /mnt.",
            near_miss="Device upgrade validation passed: network device rack1-tor1 has disk space on /mnt.",
            weight=TYPICAL,
        ),
    ),
    why="In an upgrade each device stores the new image beside the old one and needs at least 2.5 GB free (the upgrade template asks for 3.5 GB). Old images, logs and core files take the room.",
    remedy=(
        Step(
            "See what lies on the flash.",
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
                "dir flash:",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Have old images, logs and core files removed, then start the upgrade again.",
            risk=Risk.DESTRUCTIVE,
            verify="the same command wants at least 3500000000 bytes free",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
    leads_to=("nexus.fabric_image_activation", "nexus.fabric_upgrade_blocked"),
    ask='az networkfabric device run-ro -g {resource_group} --resource-name <device> --ro-command "dir flash:"',
)
