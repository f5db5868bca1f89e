from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The fabric could not configure a device over gNMI or gNOI",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?P<code>Gnmi(?:Connection|Set|Get)Error|GnoiConnectionError)\b|\bGNMI (?P<verb>GET|SET) failed|\bGN[MO]I connection to device failed",
            says="Azure could not talk to a device of the fabric",
            sample="GnmiSetError: GNMI SET failed: rpc error: code = Unavailable desc = transport is closing",
            near_miss="GnmiSession: GNMI SET done",
        ),
    ),
    why="The fabric reads and writes its devices over gNMI (GnmiConnectionError, GnmiSetError, GNMI GET failed) and gNOI (GnoiConnectionError). The device did not answer, or refused the configuration.",
    remedy=(
        Step(
            "See which devices are enabled and synchronised.",
            run=("az", "networkfabric", "device", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Restore the management path to the device (management switch, terminal server, certificate), then commit the configuration again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric device show wants administrativeState Enabled and configurationState Succeeded",
        ),
        Step(
            "If the device answers and still refuses, open a support request with the text of the error."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
    leads_to=(
        "nexus.config_not_committed",
        "nexus.fabric_failed",
    ),
    ask="az networkfabric device list -o table",
)
