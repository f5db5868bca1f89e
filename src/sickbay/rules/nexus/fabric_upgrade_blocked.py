from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The runtime upgrade of a network fabric does not start, or stopped",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)(?:network ?fabric|\bNF|\bfabric)(?: runtime| version)? upgrade\b(?:[^.]|\.\d){0,60}?(?:\bfailed|(?:cannot|could not|did not) (?:be )?start|not allowed|was refused|is blocked|rejected)|(?:cannot|unable to|failed to) upgrade (?:the )?(?:network ?)?fabric\b",
            says="the fabric was not upgraded",
            sample="Network fabric upgrade failed as the validation of the fabric resources did not pass.",
            near_miss="Network fabric upgrade started after the validation of the fabric resources.",
            unless=r"(?i)upgrade\b.{0,80}? (?:completed|succeeded|no \w+ failed)",
            weight=SYMPTOM,
        ),
    ),
    why="An upgrade wants the controller Succeeded, the fabric Enabled, Succeeded, Provisioned and without a lock, every device Enabled and in step, every enabled network, domain, interconnect and tap Succeeded, room on the flash of the devices, and BGP sessions that are up. One of these is not so.",
    remedy=(
        Step(
            "See the state of the fabric and its locks.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "show",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--query",
                "{admin:administrativeState,state:provisioningState,config:configurationState,locks:fabricLocks,version:fabricVersion}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the state of every device.",
            run=("az", "networkfabric", "device", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Bring what is not in the expected state there, then start the upgrade again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric fabric show wants the new fabricVersion",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
)
