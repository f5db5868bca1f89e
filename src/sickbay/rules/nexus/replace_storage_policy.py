from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The replace action of a bare-metal machine fails with storage policy Preserve after disks or RAID were changed",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)storage[ -]?policy\W{0,4}\"?Preserve\b.{0,200}?(?:missing|not found|fail\w*|error|cannot|could not|not (?:possible|supported|allowed)|reject\w*|refused)|(?:fail\w*|error|cannot|could not|rejected)\b.{0,160}?storage[ -]?policy\W{0,4}\"?Preserve\b",
            says="replace with storage policy Preserve failed",
            sample="baremetalmachine replace with storage-policy Preserve failed: virtual disk metadata could not be imported",
            near_miss="baremetalmachine replace with storage-policy Preserve done",
            weight=TYPICAL,
        ),
    ),
    why="With `--storage-policy Preserve` a replace keeps the virtual disks of the machine. After a change of disks, PERC/RAID controller, backplane or system board their metadata or keys are gone, so nothing can be preserved and the action fails; the default policy wipes and makes them anew.",
    remedy=(
        Step(
            "See what the action said.",
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
                "actionStates",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run replace again with --storage-policy DiscardAll when the data of the machine may go.",
            risk=Risk.DESTRUCTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatus Provisioned",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-functions",),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query actionStates",
)
