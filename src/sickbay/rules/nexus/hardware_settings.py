from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hardware validation failed: boot or PXE device, firmware or iDRAC licence is not set as needed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>boot_device_\w+|pxe_device_\w+|iDRAC License Check)\W{1,6}comparison_result\W{1,6}(?:Fail)\b",
            says="hardware validation found a difference in {field}",
            sample='field_name: "pxe_device_1_name", "comparison_result": "Fail", "expected": "NIC.Embedded.1-1-1", "fetched": "NIC.Embedded.1-2-1"',
            near_miss='field_name: "pxe_device_1_name", "comparison_result": "Pass", "expected": "NIC.Embedded.1-1-1", "fetched": "NIC.Embedded.1-1-1"',
        ),
        Signature(
            pattern=r"(?i)Unable to determine firmware release",
            says="the firmware release of the machine cannot be told",
            sample="Hardware validation: Unable to determine firmware release",
            near_miss="Hardware validation: firmware release determined",
        ),
    ),
    why="The BIOS or the BMC is not configured as the platform needs: the boot device or PXE device is disabled or another one, the iDRAC licence (license) is a trial or absent, or the firmware cannot be read.",
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
            "Enable the boot device and set the PXE device in the BIOS, install a perpetual iDRAC datacenter or enterprise licence, or reset the BMC and update its firmware.",
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
