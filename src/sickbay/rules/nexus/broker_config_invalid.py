from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The packet broker refused the configuration of an isolation domain or interconnect",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\b(?P<code>NFNPB(?:Isd|Nni)ConfigError)\b(?:.{0,40}?ProcessNPBConfig due to: ?(?P<error>.{1,160}?) for device: ?(?P<device>[\w.<>-]+))?",
            says="{code}: the packet broker could not take the configuration",
            sample="NFNPBIsdConfigError: Failed to ProcessNPBConfig due to: invalid encapsulation for device: npb1",
            near_miss="NFNPBIsdConfig: ProcessNPBConfig done for device: npb1",
        ),
        Signature(
            pattern=r"(?i)Failed to ProcessNPBConfig due to: ?(?P<error>.{1,160}?) for device: ?(?P<device>[\w.<>-]+)(?P<code>)",
            says="the packet broker {device} could not take the configuration",
            sample="lastOperation: Failed to ProcessNPBConfig due to: empty neighbor group for device: npb1",
            near_miss="lastOperation: ProcessNPBConfig done for device: npb1",
        ),
    ),
    why="The configuration that the fabric makes from the L3 isolation domain (NFNPBIsdConfigError) or from the interconnect (NFNPBNniConfigError) holds a value that the packet broker does not accept; which one stands behind `due to`.",
    remedy=(
        Step(
            "Read the whole error.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value that it names in the isolation domain or in the NNI, and commit the fabric.",
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric device show wants configurationState Succeeded",
        ),
        Step("If the error is only that the device did not answer, look at its management path."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
    leads_to=("nexus.fabric_failed",),
    ask="az networkfabric device list -o table",
)
