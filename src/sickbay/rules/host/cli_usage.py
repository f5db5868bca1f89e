from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The command is used wrongly: an argument of az is missing, not allowed beside another, or has a wrong value",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"arguments are required: -|: error: argument -\S{1,60}: (?:invalid choice|expected (?:one|at least) |not allowed with)|\b(?:RequiredArgumentMissing|MutuallyExclusiveArgument|ArgumentUsage|InvalidArgumentValue)Error\b|(?i:incorrect usage: )|(?i:(?:cannot|can not|can't) specify .{0,80}?--[a-z])|(?i:please (?:specify|provide) .{0,120}?--[a-z])|(?i:please specify both )|--[a-z][\w-]+[\"'`]? can only (?:be|contain|include) |--[a-z][\w-]+[\"'`]? can contain at most|--[a-z][\w-]+[\"'`]? must be (?:in the range|a multiple|specified|provided|global|one of)|--[a-z][\w-]+[\"'`]? should (?:be the|be a list|be provided|contain only) |--[a-z][\w-]+[\"'`]? cannot be (?:disabled|IPv6|used|specified|set) |--[a-z][\w-]+[\"'`]? cannot (?:contain|exceed) |--[a-z][\w-]+[\"'`]? has no value|--[a-z][\w-]+[\"'`]? is only supported|--[a-z][\w-]+[\"'`]? is required (?:when|for|if) |--[a-z][\w-]+[\"'`]? is not allowed with|--[a-z][\w-]+[\"'`]? are mutually exclusive|--[a-z][\w-]+[\"'`]? does(?:n't| not) support|is not a valid value for ['\"`]?--[a-z]|\bAZK8S010[0-2]\b|No par(?:a)?meters were specified with update command|(?i:Unable to prompt for (?:confirmation|value) (?:as|because of) no tty)|Conflict detected: --\w|When --[a-z][\w-]+ is '[\w-]+', --[a-z]|Error! Both [\w -]{3,60} and [\w -]{3,60} cannot be provided|To pin to specific version, auto-upgrade|^File \S{1,200} is (?:not a valid JSON file|empty)$|Wrong cloud \(\w+\) setting for region|Conflicting flags\. ",
            says="az does not accept the arguments as they are given",
            sample="az aks nodepool add: error: the following arguments are required: --name/-n",
            near_miss="az aks nodepool add: Running ..",
            unless=r"(?i)unrecognized arguments|az login|is not recognized by|kubelogin|misspelled|Cluster type|custom-locations-oid|--release-train|managed identity",
            weight=TYPICAL,
        ),
        Signature(
            # Text programs turn two hyphens into a dash, and az takes the argument for a value.
            pattern=r"unrecognized arguments: [^\x00-\x7f]{1,2}-?[a-z][\w-]+",
            says="an argument begins with a dash in place of two hyphens",
            sample="az aks: error: unrecognized arguments: \u2013\u2013node-count 3",
            near_miss="az aks: error: unrecognized arguments: --no-wait",
            weight=TYPICAL,
        ),
    ),
    why="The Azure CLI checks its arguments before it asks Azure for anything: one that belongs to another is missing, two exclude each other, a value is outside of what it takes, or its hyphens became a dash on the way from a document. Nothing was changed.",
    remedy=(
        Step(
            "Read which arguments the command takes, and which go together.",
            run=("az", "<command>", "--help"),
            risk=Risk.READ,
        ),
        Step("Correct the argument that the message names, and repeat the command."),
    ),
    docs=("https://learn.microsoft.com/cli/azure/aks",),
    ask="az <command> --help",
    leads_to=("aks.operation_failed",),
    vague=True,
)
