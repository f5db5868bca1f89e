from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI is not installed, or not in the PATH of this shell",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"""The term '?az'? is not recognized|'az' is not recognized as an internal or external command|\baz: command not found|exec: \"az\": executable file not found""",
            says="az is not found",
            sample="az : The term 'az' is not recognized as the name of a cmdlet, function, script file, or operable program.",
            near_miss="az : azure-cli 2.74.0",
        ),
    ),
    why="The shell does not know the program az: it was started before the installation, or the folder of the CLI is missing from PATH.",
    remedy=(
        Step(
            "Open a new shell; if that does not help, install the Azure CLI or add its folder to PATH.",
            verify="az version answers",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/install-azure-cli",),
)
