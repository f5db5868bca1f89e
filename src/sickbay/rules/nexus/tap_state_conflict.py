from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The state of a network tap does not allow the operation: it is Enabled, Accepted or not settled",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\btap [\w ]{0,40}?failed as the (?:tap (?:resource )?is in )?(?:(?P<state>Enabled) Administrative state|Administrative (?:Enabled state|state is Enabled in the request(?:[.,;]|$| [^p\s]| p[^a]))|(?:Accepted) Configuration state)",
            says="the tap is Enabled or Accepted",
            sample="REPUT on network tap failed as the tap resource is in Enabled Administrative state",
            near_miss="Network tap update failed as the tap resource is in Deleting state",
        ),
        Signature(
            pattern=r"(?i)\btap [\w ]{0,40}?failed as the (?:referenced |destination )?[\w ]{2,60}?(?:state is not valid for this action|is in (?:an )?invalid state|is not in Admin enabled state)",
            says="the tap is in a state that this action does not accept",
            sample="Network tap UpdateAdminState Enable post action failed as the tap state is not valid for this action",
            near_miss="Network tap UpdateAdminState post action failed as the requested admin state is not valid",
        ),
    ),
    why="A tap in the administrative Enabled state cannot be deleted or replaced, one in the configuration Accepted state cannot be put again, enabling wants it Disabled and Succeeded (else: action state invalid), and a resync wants it Enabled, Succeeded and Accepted (else: resync state invalid).",
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
            "Disable the tap before deleting or replacing it.",
            run=(
                "az",
                "networkfabric",
                "tap",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--state",
                "Disable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants administrativeState Disabled and provisioningState Succeeded",
        ),
        Step("Repeat the operation, and enable the tap again."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
)
