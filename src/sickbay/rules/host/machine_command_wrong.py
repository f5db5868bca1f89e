from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="azcmagent was called wrongly: a parameter is missing or has a value that is not valid (AZCM0016, AZCM0023)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bAZCM0(?:016|019|023|101|147)\b|AZCMAgent command failed\b.{0,60}?exit ?code: ?(?:16|19|23|101|147)\b",
            says="the agent does not accept its arguments",
            sample="FATAL   AZCM0016: Missing a mandatory parameter",
            near_miss="INFO    AZCM0000: Success",
            weight=TYPICAL,
        ),
    ),
    why="azcmagent checks its command line and its configuration file before it talks to Azure: a mandatory parameter is missing (AZCM0016), the configuration file is not where it is said to be (AZCM0019), a value is not valid (AZCM0023, AZCM0147) or the command cannot be parsed (AZCM0101). Nothing was changed.",
    remedy=(
        Step(
            "See what the command takes.",
            run=("azcmagent", "connect", "--help"),
            risk=Risk.READ,
        ),
        Step(
            "Give subscription, resource group, tenant and location, each value in quotes, and repeat.",
            run=(
                "azcmagent",
                "connect",
                "--subscription-id",
                "<subscription>",
                "--resource-group",
                "<resource-group>",
                "--tenant-id",
                "<tenant>",
                "--location",
                "<location>",
            ),
            risk=Risk.SAFE,
            verify="azcmagent show wants Agent Status Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="azcmagent show",
)
