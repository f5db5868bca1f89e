from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The last enabled internal network of an isolation domain cannot be disabled alone",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)at least (?:one|1) (?:other )?internal ?network .{0,60}?(?:enabled|active)|(?:only|last) (?:enabled )?internal ?network .{0,80}?(?:cannot|can't|can not) be disabled",
            says="the fabric refuses to disable the last internal network",
            sample="Update admin state failed: at least one internal network must remain enabled in the L3 isolation domain.",
            near_miss="Update admin state done: one internal network was disabled in the L3 isolation domain.",
            weight=TYPICAL,
        ),
    ),
    why="An enabled L3 isolation domain must keep at least one internal network enabled; without any there is nothing left for the domain to carry.",
    remedy=(
        Step(
            "See which internal networks are enabled.",
            run=(
                "az",
                "networkfabric",
                "internalnetwork",
                "list",
                "-g",
                "{resource_group}",
                "--l3-isolation-domain-name",
                "<domain>",
                "--query",
                "[].{name:name,admin:administrativeState}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable another internal network first, or disable the whole domain: az networkfabric l3domain update-admin-state --state Disable.",
            risk=Risk.DISRUPTIVE,
            verify="the list wants one Enabled, or the domain wants Disabled",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-disable-internal-external-networks-enabled-layer-3-isolation-domain",
    ),
)
