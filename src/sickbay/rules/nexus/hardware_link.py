from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hardware validation failed: a NIC link is not as expected, or the cabling is wrong",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>NIC\.[\w.-]+_Link\w*)\W{1,6}comparison_result\W{1,6}(?:Fail)\b",
            says="hardware validation found a difference in {field}",
            sample='field_name: "NIC.Slot.3-1-1_LinkStatus", "comparison_result": "Fail", "expected": "Up", "fetched": "Down"',
            near_miss='field_name: "NIC.Slot.3-1-1_LinkStatus", "comparison_result": "Pass", "expected": "Up", "fetched": "Up"',
        ),
        Signature(
            pattern=r"(?i)Cabling problem detected on PCI Slot (?P<field>[\w.-]+)",
            says="the ports of slot {field} are cabled to the wrong switch ports",
            sample="Cabling problem detected on PCI Slot 3",
            near_miss="No cabling problem on PCI Slot 3",
        ),
    ),
    why="A NIC port that must be up has no link (or an unused one is up), or the two ports of a card go to switch ports that do not belong together.",
    remedy=(
        Step(
            "See the result of the validation.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "hardwareValidationStatus",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the cable of the port that is named; unused embedded ports stay without cable.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query hardwareValidationStatus wants result Pass",
        ),
        Step("Run the replace action of the machine, which validates it again."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-hardware-validation-failure",
    ),
    leads_to=("nexus.bmm_needs_repair", "nexus.hardware_validation"),
    ask="az networkcloud baremetalmachine list -o table",
)
