from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A destination of a network tap is not provisioned: destination not Succeeded",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\btap (?:rule )?[\w ]{2,40}?failed as (?:the )?(?:referenced|destination) (?P<what>[\w ]{2,60}?)(?: resource)?(?: provisioningState| is)? (?:is )?not (?:Succeeded|in (?:a )?succe\w+ state)",
            says="the {what} is not Succeeded",
            sample="Network tap resync failed as the referenced neighborgroup provisioningState is not Succeeded",
            near_miss="Network tap resync failed as the referenced neighborgroup resource is not available",
        ),
    ),
    why="A tap can send only to a neighbor group, interconnect (NNI) or isolation domain whose provisioning and configuration state are Succeeded. With its destination not Succeeded the operation is refused.",
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
            "See the state of the {what}, repair it, and commit the fabric.",
            run=("az", "networkfabric", "neighborgroup", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Repeat the operation on the tap.",
            risk=Risk.SAFE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants configurationState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
)
