from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The BMC of a bare-metal machine cannot be reached, or refuses the sign-in (BMC unauthorized)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)device_login\W{1,6}Fail - (?P<reason>Unauthorized|Unreachable)",
            says="sign-in to the BMC failed: {reason}",
            sample="device_login: Fail - Unauthorized",
            near_miss="device_login: Pass - Authorized",
        ),
        Signature(
            pattern=r"(?i)\bBMC (?:is )?unreachable\b|\bBMC fails sign-?in\b",
            says="the BMC does not answer or refuses the sign-in",
            sample="BareMetalMachines_Update failed: BMC fails sign-in",
            near_miss="BareMetalMachines_Update: BMC sign-in done",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:BMC|i?DRAC9?|redfish|baseboard management controller)\b.{0,160}?(?P<reason>(?:log-?in|sign-?in|authenticat\w+|credentials?|password|user ?name)\b.{0,60}?(?:fail\w*|invalid|incorrect|denied|rejected|refused|unauthori[sz]ed|expired|wrong|not (?:valid|accepted)|mismatch)|(?:invalid|incorrect|wrong|expired) (?:credentials?|password|user ?name|log-?in)|unauthori[sz]ed|(?:is )?unreachable|not reachable|(?:cannot|could not|unable to) (?:be )?(?:connect|reach)\w*)|(?P<first>(?:unable|failed|cannot|could not) (?:to )?(?:connect|reach|log ?in|sign ?in|authenticate|access))\b.{0,60}?\b(?:BMC|iDRAC9?|redfish|baseboard management controller)\b",
            says="the BMC does not answer or refuses the sign-in",
            sample="Hardware validation of rack1compute07: BMC login failed, invalid username or password",
            near_miss="Hardware validation of rack1compute07: BMC login done",
            unless=r"(?i)BmcKeySet|keysets?\b",
            weight=TYPICAL,
        ),
    ),
    why="The platform controls a machine over its BMC (iDRAC). It does not answer on its network port, or it rejects user and password that were given with the machine.",
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
            "Unreachable: check cable and switch port of the BMC, and its address.",
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
                "bmcConnectionString",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Unauthorized: set the password of the BMC to the one that the cluster knows, or give the right one with the replace action.",
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
