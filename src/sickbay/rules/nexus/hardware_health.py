from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hardware validation failed: a health sensor or power supply is critical, or the lifecycle log has alarms",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>[\w .:#-]{2,60}?)\W{1,6}comparison_result\W{1,6}(?:Fail|Warning)\W{1,6}expected\W{1,6}Enabled-OK\b",
            says="the sensor {field} is not OK",
            sample='field_name: "System Board Fan1A", "comparison_result": "Fail", "expected": "Enabled-OK", "fetched": "Enabled-Critical"',
            near_miss='field_name: "System Board Fan1A", "comparison_result": "Pass", "expected": "Enabled-OK", "fetched": "Enabled-OK"',
        ),
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>LCLog_Critical_Alarms)\W{1,6}comparison_result\W{1,6}(?:Fail)\b",
            says="hardware validation found a difference in {field}",
            sample='field_name: "LCLog_Critical_Alarms", "comparison_result": "Fail", "expected": "No Critical Errors", "fetched": "53539 The system board BP1 PG voltage is outside of range."',
            near_miss='field_name: "LCLog_Critical_Alarms", "comparison_result": "Pass", "expected": "No Critical Errors", "fetched": "No Critical Errors"',
        ),
        Signature(
            pattern=r"(?i)BMC shows Backplane Comm critical error|Backplane comm(?:unication)? (?:critical )?error|(?:Memory|CPU|OEM)[\w, ]{0,20} critical errors on BMC",
            says="the BMC reports a critical error of a part",
            sample="BareMetalMachines_Update failed: BMC shows Backplane Comm critical error",
            near_miss="BareMetalMachines_Update: BMC shows no critical error",
        ),
    ),
    why="A health sensor of the server (fan, disk, processor, power supply redundancy) is critical, or the lifecycle log of the BMC holds critical alarms that nobody cleared.",
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
            "Repair the part that the sensor or alarm names: fan, power supply and its feed, disk, system board.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Clear the lifecycle log once the cause is gone, and drain the server of power (flea drain) if the alarm stays.",
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
