from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A fabric resource was created a second time: re-PUT is not supported",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bre-?put\b(?: (?:request|operation))?s?(?: on [\w ]{2,60}?)? (?:is not|isn.?t|are not|not) (?:supported|allowed|permitted)",
            says="a second create of the resource was refused",
            sample="Re-put is not supported on L3 isolation domain when it is in enabled state.",
            near_miss="A put is supported on L3 isolation domain when it does not exist.",
            weight=TYPICAL,
        ),
    ),
    why="A template or a create command puts the whole resource again. The fabric does not support a re-PUT of a resource that is enabled or whose change is Accepted; only an update (PATCH) of the properties that may change is taken.",
    remedy=(
        Step(
            "See the state of the resource.",
            run=("az", "resource", "show", "--ids", "{subject}", "--query", "properties"),
            risk=Risk.READ,
        ),
        Step(
            "Use the update command of the resource (az networkfabric … update) with the properties that change, then commit the fabric.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {subject} wants configurationState Succeeded",
        ),
        Step("In a template, leave out what exists already."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-network-fabric-resource-update-commit",
    ),
)
