from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="MOC is older than the resource bridge or the operation needs",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:cloud fabric \(MOC\)|\bMOC) is currently at version v?(?P<version>[\w.-]+?)\.? A minimum version of v?(?P<wanted>[\w.-]+) is required",
            says="MOC is at {version}, {wanted} is needed",
            sample="the cloud fabric (MOC) is currently at version v0.10.28-alpha.2. A minimum version of 0.11.0-alpha.6 is required for compatibility",
            near_miss="the cloud fabric (MOC) is currently at version v0.11.2",
        ),
    ),
    why="A resource bridge and its extensions are made for a lowest version of MOC, the layer that makes virtual machines on Azure Local. The installed one is older.",
    remedy=(
        Step(
            "See the version.",
            run=(
                "powershell",
                "-Command",
                "Get-MocVersion",
            ),
            risk=Risk.READ,
        ),
        Step(
            "On Azure Local 23H2 and later install the solution update, which brings MOC; on 22H2 update it.",
            run=(
                "powershell",
                "-Command",
                "Update-Moc",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-MocVersion wants {wanted} or later",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",),
    leads_to=("arc.upgrade_failed",),
    ask="powershell -Command Get-MocVersion",
)
