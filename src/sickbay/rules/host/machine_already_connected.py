from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The machine, or another of its name, is connected to Azure Arc already (AZCM0067, AZCM0044)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bAZCM00(?:67|44)\b|(?i:This machine is already connected to Azure Arc)",
            says="the machine is known to Azure Arc already",
            sample="Exit Code: AZCM0067: Machine Already Connected",
            near_miss="Exit Code: AZCM0000: Success",
        ),
    ),
    why="An Arc machine has one resource in Azure. The agent here still holds an earlier connection, or the resource group has a machine of the same name: of an earlier installation, or of a clone of this one.",
    remedy=(
        Step("See what the agent is connected to.", run=("azcmagent", "show"), risk=Risk.READ),
        Step(
            "Disconnect it and connect anew, or choose another name with --resource-name.",
            run=("azcmagent", "disconnect"),
            risk=Risk.DISRUPTIVE,
            verify="azcmagent show wants Connected to the wanted group",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="azcmagent show",
)
