from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A run command of Nexus names a command, argument or script that is not on its allow list",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i)The command '(?P<command>[^']{1,80})' is not supported\. Supported commands include",
            says="{command} may not be run",
            sample="The command 'ls' is not supported. Supported commands include: purearray, purevol, purehw, puredrive, and others.",
            near_miss="The command 'purearray' was run. Supported commands include: purearray, purevol",
        ),
        Signature(
            pattern=r"(?i)\b(?:run-(?:read-)?command|run-data-extract|runReadCommands?|runDataExtracts?)\b.{0,300}?(?:command|argument|script) \W?(?P<other>[\w. /-]{1,60}?)\W? (?:is not (?:allowed|supported|permitted|valid|in the (?:list of )?allow)|is invalid)|The command '(?P<third>[^']{1,80})' is not in the (?:list of )?allow",
            says="the command is not one that may be run",
            sample="az networkcloud baremetalmachine run-read-command: command 'rm' is not allowed",
            near_miss="az networkcloud baremetalmachine run-read-command: command 'ls' was run",
            weight=TYPICAL,
        ),
    ),
    why="Run-read-command and run-data-extract on bare-metal machines and storage appliances take only commands of a published list, each with its arguments in a list of its own. Everything else is refused before it runs.",
    remedy=(
        Step(
            "Look the command up in the list of supported commands, and write it as one command with its arguments apart.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "run-read-command",
                "--help",
            ),
            risk=Risk.READ,
        ),
        Step("For anything that is not on the list, open a support request."),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-run-read",),
)
