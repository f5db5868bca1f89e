from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another action already runs on the bare-metal machine (cordon, restart, reimage, replace, power-off)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)(?:\b(?:bare ?metal ?machines?|BMM)\b.{0,200}?(?:(?:another|an?|other|different|replace|reimage|restart|cordon|uncordon|power-?off|start) (?:\w+ )?(?:action|operation|command|request)?\b.{0,60}?(?:already (?:running|in progress|being|active|executing)|(?:is|are) (?:still )?(?:in progress|running|ongoing|pending))|(?:action|operation)s? (?:is |are )?(?:already )?in progress)|(?:replace|reimage|restart|cordon|uncordon|power-?off)\b.{0,80}?(?:already (?:running|in progress)|in progress|cannot (?:be )?(?:run|start\w*|perform\w*) (?:while|because)).{0,160}?\b(?:bare ?metal ?machines?|BMM)\b)",
            says="another action runs on the machine",
            sample="Conflict: Cannot start reimage: a replace action is already in progress on this bare metal machine",
            near_miss="The replace action on this bare metal machine is done",
            unless=r"(?i)control ?-?plane|\bKCP\b|provisioning in progress|the upgrade",
            weight=TYPICAL,
        ),
    ),
    why="A bare-metal machine takes one action at a time, and a site should see only one reimage or replace at once: two that overlap leave servers in a state that does not work. The new action is refused until the first one has ended, which takes up to four hours for replace.",
    remedy=(
        Step(
            "See the action that runs and how far it came.",
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
            "Wait until it has ended, then start the new action.",
            risk=Risk.SAFE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants actionStates Completed or Failed and provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-bare-metal-best-practices",),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query actionStates",
)
