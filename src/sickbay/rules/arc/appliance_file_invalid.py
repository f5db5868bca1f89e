from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A configuration file of the appliance cannot be read: a value is missing or of a wrong type",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:arcappliance|kvactl|appliance\.yaml|infra\.yaml|resource\.yaml|--config-?file).{0,600}?(?:strconv\.Parse\w+: parsing \"\"|error converting YAML to JSON|yaml: (?:line \d+|unmarshal errors)|cannot unmarshal \w+ into|did not find expected|mapping values are not allowed)",
            says="the files of the appliance cannot be parsed",
            sample='kvactl.exe create --configfile appliance.yaml returned a non zero exit code 1 [Error: strconv.ParseUint: parsing "": invalid syntax]',
            near_miss="kvactl.exe create --configfile appliance.yaml returned exit code 0",
            weight=TYPICAL,
        ),
    ),
    why="appliance.yaml, infra.yaml and resource.yaml are read before anything is deployed. An empty number (a VLAN, a port, a size), a tab or a colon in a value, or a field that this version does not know stops the command.",
    remedy=(
        Step(
            "Let the CLI write the files anew, rather than editing them by hand.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "<fabric>",
                "-g",
                "{resource_group}",
                "-n",
                "<name>",
                "-l",
                "<region>",
            ),
            risk=Risk.SAFE,
            verify="az arcappliance validate <fabric> --config-file <name>-appliance.yaml passes",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/resource-bridge/deploy-cli",),
    ask="az arcappliance validate <fabric> --config-file <name>-appliance.yaml",
)
