from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hardware validation failed: serial number, MAC address or model is not the one that was entered",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>Serial_Number|Model|iDRAC_MAC|[\w.-]*PXE_MAC)\W{1,6}comparison_result\W{1,6}(?:Fail)\b",
            says="hardware validation found a difference in {field}",
            sample='field_name: "Serial_Number", "comparison_result": "Fail", "expected": "1234567", "fetched": "7654321"',
            near_miss='field_name: "Serial_Number", "comparison_result": "Pass", "expected": "1234567", "fetched": "1234567"',
        ),
        Signature(
            pattern=r"(?i)\b(?:Boot \(PXE\)|BMC) MAC address mismatch",
            says="the MAC address of the machine is not the one that was entered",
            sample="Boot (PXE) MAC address mismatch, input data aa:bb:cc:dd:ee:f0",
            near_miss="Boot (PXE) MAC address matches the input data",
        ),
        Signature(
            pattern=r"(?i)\bserial ?numbers?\b.{0,100}?(?:does not match|doesn't match|mismatch|differs?|not the same|incorrect|wrong).{0,120}?\b(?:BMC|iDRAC|bare ?metal|BMM|rack|machine|device|hardware)|\b(?:BMC|iDRAC|bare ?metal ?\w*|BMM|rack\w*|network ?device)\b.{0,160}?\bserial ?numbers?\b.{0,60}?(?:does not match|doesn't match|mismatch|differs?|incorrect|wrong)|\b(?:boot|BMC|PXE|iDRAC) ?-?MAC(?: address)?\b.{0,60}?(?:does not match|doesn't match|mismatch|differs?)(?P<field>)",
            says="serial number or MAC address differs",
            sample="serialNumber does not match the serial number reported by BMC: expected BM1219A01, fetched BM1219B02",
            near_miss="serialNumber matches the serial number reported by BMC",
            weight=TYPICAL,
        ),
    ),
    why="The machine that answered has another serial number, iDRAC MAC, PXE MAC or model than the cluster definition says: two servers are swapped, or the value was typed wrongly.",
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
            "Compare the values with the label of the server; correct the cabling, or correct the values with the replace action.",
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
                "{boot:bootMacAddress,bmc:bmcMacAddress,serial:serialNumber}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the replace action with the right serial number and MAC addresses.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query hardwareValidationStatus wants result Pass",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-hardware-validation-failure",
    ),
    leads_to=("nexus.bmm_needs_repair", "nexus.hardware_validation"),
    ask="az networkcloud baremetalmachine list -o table",
)
