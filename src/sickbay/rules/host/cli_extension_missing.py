from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI lacks the extension that the command belongs to",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)unrecognized arguments: (?:The )?command requires the extension (?P<asked>[\w-]+)|'(?P<command>[\w-]+)' is misspelled or not recognized by the system|The command requires the extension (?P<extension>[\w-]+)(?:\.? ?(?:You can|Please|To install|Unable|Run)| .{0,80}?install it now.{0,200}?(?:no tty|Unable to prompt|\(Y/n\):? ?n\b))|(?:connectedk8s|arcappliance|k8s-extension|customlocation|aksarc|networkcloud|hybridaks)\W{0,3} is not in the 'az' command group|Unable to prompt for extension install confirmation as no tty available",
            says="the command {command} is unknown to the CLI",
            sample="ERROR: 'arcappliance' is misspelled or not recognized by the system.",
            near_miss="az arcappliance: command group loaded",
        ),
    ),
    why="Commands such as arcappliance, connectedk8s, k8s-extension, customlocation, networkcloud and aksarc come with extensions of the Azure CLI; without the extension the command is misspelled or not recognised, or the CLI asks to install it.",
    remedy=(
        Step(
            "See which extensions there are.",
            run=(
                "az",
                "extension",
                "list",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the extension.",
            run=(
                "az",
                "extension",
                "add",
                "--upgrade",
                "--name",
                "{command}",
            ),
            risk=Risk.SAFE,
            verify="az extension list wants it listed",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",),
)
