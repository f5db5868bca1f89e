from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A network tap refers to a resource that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\btap (?:rule )?[\w ]{2,40}?failed as (?:the |one or more )?(?P<what>(?:referenced |associated |destination )?[\w ]{2,90}?)(?: resources?)?(?: in Azure)? (?:is|are) not available",
            says="the {what} is not there",
            sample="Network tap creation failed as the referenced Network tap rule destination resource is not available",
            near_miss="Network tap creation failed as the referenced destination resource is of invalid type",
        ),
        Signature(
            pattern=r"(?i)\btap (?:rule )?[\w ]{2,40}?failed as (?:the )?(?P<what>(?:referenced |associated )?[\w ]{2,60}?)(?: resource)? does not exist",
            says="the {what} does not exist",
            sample="Network tap resync failed as the associated fabric resource does not exist",
            near_miss="Network tap resync failed as the tap resource is in invalid state",
        ),
    ),
    why="The packet broker follows every reference when a tap is created, changed or synchronised, and stops at the first that leads nowhere: NPB missing, fabric missing, tap rule missing, tap rule destination missing, NNI missing, L3ISD missing, neighborgroup missing, or the tap missing itself. It was deleted, not created yet, or its id is wrong.",
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
            "Create the {what}, or correct the reference to it in the tap.",
            risk=Risk.SAFE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants provisioningState Succeeded",
        ),
        Step("Repeat the operation."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
)
