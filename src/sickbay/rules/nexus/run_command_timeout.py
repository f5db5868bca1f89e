from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A run command on a bare-metal machine ran into its time limit",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:run-(?:read-|data-)?(?:command|extract)|runReadCommands?|runDataExtracts?|runCommand)\b.{0,300}?(?:limit-?time-?seconds\b.{0,60}?exceed|timed out|time ?-?out|exceeded (?:the )?(?:time )?limit|deadline exceeded)|limit-?time-?seconds\b.{0,40}?(?:exceeded|reached|must be|out of range)",
            says="the time limit was reached",
            sample="az networkcloud baremetalmachine run-read-command failed: limit-time-seconds 60 exceeded",
            near_miss="az networkcloud baremetalmachine run-read-command done in 12 seconds",
            unless=r"(?i)az aks|managedClusters",
            weight=TYPICAL,
        ),
    ),
    why="run-command, run-read-command and run-data-extract end after limit-time-seconds (60 to 14400). Slow collections such as support logs need more, and a machine that is not ready never answers.",
    remedy=(
        Step(
            "See whether the machine is ready.",
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
                "{ready:readyState,power:powerState,status:detailedStatusMessage}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run it again with a larger --limit-time-seconds.",
            risk=Risk.SAFE,
            verify="the command ends with its output",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-run-read",),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name}",
)
