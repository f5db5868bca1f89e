from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Dapr finds no host for an actor: no program registered its type, or the placement service is not reached",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"error finding address for actor type '?(?P<actor>[\w.-]{1,120})|did not find address for actor|ERR_ACTOR_NO_ADDRESS|no host(?:s)? (?:found )?for actor type|actors?: state store (?:is )?not (?:found|configured)",
            says="no host serves the actor[ type {actor}]",
            sample="Dapr.DaprApiException: error invoke actor method: error finding address for actor type 'CartActor' with id 'c1'",
            near_miss="actor type 'CartActor' with id 'c1' was activated",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="A sidecar asks the placement service which host carries an actor type. It knows none when no program that registers the type runs (or its application port does not answer the sidecar), when the sidecars do not reach dapr-placement-server on 50005, when no state store has actorStateStore set to true, or for some seconds after a host went.",
    remedy=(
        Step(
            "See what the sidecar says of placement and of the actor types of its program.",
            run=("kubectl", "logs", "{pod}", "-n", "{namespace}", "-c", "daprd", "--tail=200"),
            risk=Risk.READ,
        ),
        Step(
            "See whether the placement service runs.",
            run=("kubectl", "get", "pods", "-n", "dapr-system", "-l", "app=dapr-placement-server"),
            risk=Risk.READ,
        ),
        Step(
            'Register the type in the program, set actorStateStore: "true" on one state store, and restart the program.',
            risk=Risk.DISRUPTIVE,
            verify="the sidecar logs that its placement tables are updated",
        ),
    ),
    docs=(
        "https://docs.dapr.io/operations/troubleshooting/common_issues/",
        "https://docs.dapr.io/concepts/dapr-services/placement/",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} -c daprd",
)
