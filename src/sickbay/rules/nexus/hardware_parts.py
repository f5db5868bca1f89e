from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Hardware validation failed: memory, CPU, disk or NIC differs from the model",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"field_name\W{1,6}(?P<field>memory_\w+|cpu_\w+|Disk_\d+_\w+|NIC\.[\w.-]+_Model)\W{1,6}comparison_result\W{1,6}(?:Fail)\b",
            says="hardware validation found a difference in {field}",
            sample='field_name: "memory_capacity_GB", "comparison_result": "Fail", "expected": "512", "fetched": "480"',
            near_miss='field_name: "memory_capacity_GB", "comparison_result": "Pass", "expected": "512", "fetched": "512"',
        ),
        Signature(
            pattern=r"(?i)\b(?P<field>memory_capacity_GB|cpu_sockets|cpu_cores|Disk_\d+_\w+|NIC\.[\w.-]+_Model)\b\W{0,4}comparison_result\W{1,4}Fail\b",
            says="hardware validation found a difference in {field}",
            sample="memory_capacity_GB comparison_result Fail expected 512 fetched 480",
            near_miss="memory_capacity_GB comparison_result Pass expected 512 fetched 512",
            weight=TYPICAL,
        ),
    ),
    why="The parts that the BMC reports (memory capacity, CPU sockets, type and size of a disk, model of a NIC) are not those of the server model in the rack definition: a part is missing, defective, not seated, or in the wrong slot.",
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
            "Reseat or replace the part: memory module, processor, disk (and its order on the controller) or network card.",
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
