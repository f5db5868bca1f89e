from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network fabric service failed or throttled the request",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\btap (?:rule )?[\w ]{2,40}?failed (?:due to some internal service error|as the internal request to (?:get|patch|read|update) [\w ]{2,100}? (?:got throttled|failed)|as the tap (?:rule )?resource registration with Azure ARM failed)",
            says="the service failed while it worked on a tap",
            sample="Network tap creation failed as the internal request to get the associated NPB resource got throttled",
            near_miss="Network tap creation failed as the API request is not valid",
        ),
    ),
    why="The operation failed inside the service: an internal service error, a request that was throttled, an internal get failed, or the ARM registration of the tap did not go through. Nothing in the request is wrong.",
    remedy=(
        Step(
            "Wait a few minutes, then send the same request again.",
            risk=Risk.SAFE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants provisioningState Succeeded",
        ),
        Step("If it fails again, open a support request with the correlation id of the operation."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
)
