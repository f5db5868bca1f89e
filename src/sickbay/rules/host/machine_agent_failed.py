from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Connected Machine agent (azcmagent) could not connect the machine to Azure Arc",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\b(?P<code>(?i:AZCM)0(?:00[1-9]|0[1-9]\d|1\d\d))\b|(?i:Failed to (?:discover OS information for|AzureConnectedMachineAgent) onboard)(?P<other>)",
            says="azcmagent ended with {code}",
            sample="INFO Exit Code: AZCM0104: Failed To Get OS Information",
            near_miss="INFO Exit Code: AZCM0000: Success",
            weight=SYMPTOM,
        ),
    ),
    why="The code of azcmagent says what failed: 0012 and 0041 the credentials, 0016 to 0023 the arguments, 0026 the network, 0042 to 0044 the resource in Azure, 0061 to 0070 the agent's own service, 0081 and 0105 the identity certificate, 0102 to 0104 the name or system of the machine, 0127 to 0157 the installation. The line before it says why.",
    remedy=(
        Step(
            "See the connection and what the log says of it.",
            run=("azcmagent", "show"),
            risk=Risk.READ,
        ),
        Step("Mend what the code names, and connect the machine again."),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/troubleshoot-agent-onboard",),
    ask="azcmagent show",
    wraps=True,
)
