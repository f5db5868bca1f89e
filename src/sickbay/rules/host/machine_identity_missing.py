from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Connected Machine agent has no managed identity certificate that works (AZCM0081, AZCM0105)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bAZCM0(?:081|105)\b|AZCMAgent command failed\b.{0,60}?exit ?code: ?(?:81|105)\b|error occurred while downloading the (?:Microsoft Entra|Azure (?:AD|Active Directory)) managed identity certificate|\[certStore\] ClientAssertionCredential authentication failed",
            says="the certificate of the machine's identity is missing or refused",
            sample="FATAL   AZCM0081: An error occurred while downloading the Microsoft Entra managed identity certificate",
            near_miss="Downloaded the Microsoft Entra managed identity certificate",
            weight=TYPICAL,
        ),
    ),
    why="After its resource was made, the machine fetches the certificate of its managed identity from his.arc.azure.com. When that fails, or Entra ID no longer knows the identity (the resource was deleted or made anew, the machine was cloned, another tenant), the agent cannot speak for the resource; the resource has to be deleted before the machine is connected again.",
    remedy=(
        Step(
            "See whether the agent reaches its endpoints.",
            run=("azcmagent", "check", "--location", "<location>"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the resource of the machine in Azure.",
            run=("az", "connectedmachine", "delete", "-g", "<resource-group>", "-n", "<machine>"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Clear what the agent kept of it, and connect again.",
            run=("azcmagent", "disconnect", "--force-local-only"),
            risk=Risk.DISRUPTIVE,
            verify="azcmagent show wants Agent Status Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    leads_to=("host.machine_agent_failed",),
    ask="azcmagent check",
)
