from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cable validation found connections that are not as the bill of materials says",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)\bPort \S{1,40} has no connections as per device response|Device cabling in \S{1,40} incorrect|\b(?:cabl\w+|connection\w*|interface\w*|port|sourceDevice\w*|destination\w*)\b.{0,240}?\bNon-?Compliant\b|\bNon-?Compliant\b.{0,240}?\b(?:cabl\w+|sourceInterface\w*|destinationInterface\w*|expectedConnection\w*)\b",
            says="a cable does not go where it should",
            sample='"cablingReport": [{"sourceDevice": "rack1-tor1", "sourceInterface": "Ethernet5", "destinationInterface": "Ethernet1", "status": "NonCompliant"}]',
            near_miss='"cablingReport": [{"sourceDevice": "rack1-tor1", "sourceInterface": "Ethernet5", "destinationInterface": "Ethernet1", "status": "Compliant"}]',
            unless=r"(?i)policy(?:Assignment|Definition|States)",
            weight=TYPICAL,
        ),
    ),
    why="Validation compares what each device sees at its ports (LLDP) with the bill of materials. NonCompliant means that another device or port answers than the plan has, Unknown that nothing answers; provisioning and hardware validation fail on such links.",
    remedy=(
        Step(
            "Take the list of NonCompliant and Unknown connections from the report.", risk=Risk.READ
        ),
        Step("Correct these cables, or reseat their optics.", risk=Risk.DISRUPTIVE),
        Step(
            "Validate again.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "validate-configuration",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--validate-action",
                "Cabling",
                "--no-wait",
            ),
            risk=Risk.READ,
            verify="the new report wants Compliant for every connection",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/how-to-validate-cables",),
    leads_to=("nexus.hardware_link", "nexus.device_unhealthy"),
)
