from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request for a network tap is not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\btap (?:rule )?[\w ]{2,40}?failed (?:as|because of) (?:the )?(?P<what>API request is not valid|Administrative state is Enabled in the request payload|request payload (?:did not satisfy|was invalid|is invalid|could not be)|requested admin state is not valid|(?:post )?action is not supported|referenced destination resource is of invalid type|unsupported resourceType for destination|network tap rules? name is not unique|Neighbor group is not referenced|network tap and one or more of the referenced tap rules? resources are not in the same Azure region)",
            says="the request was refused: {what}",
            sample="Network tap creation failed as the API request is not valid",
            near_miss="Network tap creation failed due to some internal service error",
        ),
        Signature(
            pattern=r"\b(?P<what>NFTapValidate\w+Error)\b",
            says="the tap did not pass validation: {what}",
            sample="NFTapValidateDstEncapInvalidError: Network Tap ISD destination Encapsulation type is invalid",
            near_miss="NFTapDeviceError: Network Tap could not be configured",
        ),
    ),
    why="The fabric checks a tap before it configures devices. Refused are: payload invalid (a tap must be created Disabled, and a patch may hold only the members of its schema), admin state value invalid (only Enable and Disable), post action unsupported, destination type invalid (IsolationDomain or Direct; rules: neighbor groups and NNIs), rule name not unique on the packet broker, region mismatch between tap and rules, neighbor group unreferenced by the rule, and whatever NFTapValidate codes name: empty destinations, an unknown encapsulation, or too many or no addresses in a neighbor group.",
    remedy=(
        Step(
            "See the state of the tap and what it refers to.",
            run=(
                "az",
                "networkfabric",
                "tap",
                "show",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the request as the message says ({what}) and send it again.",
            risk=Risk.SAFE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
)
