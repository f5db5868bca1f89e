from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Traffic of an isolation domain does not pass although it is enabled: its configuration on the devices is stale",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:isolation ?-?domain|l[23]isd|\bl[23] ?domain)\b.{0,200}?(?:(?:unable|cannot|can't|can not|not able) (?:to )?(?:ping|reach)|no (?:connectivity|traffic|route)|ping (?:fails|failed|times out))|(?:unable|cannot|can't|can not|not able) (?:to )?(?:ping|reach)\b.{0,200}?\b(?:isolation ?-?domain|l[23]isd)\b(?P<domain>)",
            says="addresses of the domain do not answer",
            sample="Unable to ping 107.10.20.1 over the isolation domain l3-ran, which is Enabled and Succeeded",
            near_miss="ping 107.10.20.1 over the isolation domain l3-ran answers",
            unless=r"(?i)disabled|not enabled",
            weight=TYPICAL,
        ),
    ),
    why="After changes of networks or prefixes the switches can keep an old configuration of an isolation domain that Azure shows as Enabled and Succeeded. Disabling and enabling it writes the configuration anew.",
    remedy=(
        Step(
            "Disable the domain in a maintenance window, then enable it.",
            run=(
                "az",
                "networkfabric",
                "l3domain",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{domain}",
                "--state",
                "Disable",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Enable it.",
            run=(
                "az",
                "networkfabric",
                "l3domain",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{domain}",
                "--state",
                "Enable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the address answers a ping",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    ask="az networkfabric l3domain show -g {resource_group} --resource-name {domain}",
)
