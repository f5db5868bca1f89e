from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine cannot be powered up or its RAID not be cleaned",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Server power (?:up|down|control) (?:action )?failed with: (?P<reason>[\w ]{3,120})",
            says="the power action failed: {reason}",
            sample="Server power up failed with: server OS is powered off after successful power on attempt",
            near_miss="Server power up done: server OS is powered on",
        ),
        Signature(
            pattern=r"(?i)RAID[ _]cleanup failed\b|RAID[ _]cleanup\W{1,4}comparison_result\W{1,6}Fail",
            says="the RAID controller could not be cleaned",
            sample="RAID cleanup failed with: timeout of the job",
            near_miss="RAID cleanup done",
        ),
        Signature(
            pattern=r"(?i)\b(?:Disk|Boot \(PXE\) network) data response empty from BMC",
            says="the BMC returns no data of disk or network",
            sample="BareMetalMachines_Update failed: Disk data response empty from BMC",
            near_miss="BareMetalMachines_Update: Disk data response read from BMC",
        ),
    ),
    why="The BMC accepted the command, but the server did not follow: it stays without power, the RAID controller holds a foreign configuration, or the BMC hangs.",
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
            "Take all power from the server for a minute (flea drain) and reset the BMC; clear a foreign RAID configuration.",
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
