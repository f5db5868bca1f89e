from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The machine cannot reach an endpoint that its Arc agent needs (AZCM0026)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bAZCM0(?:026|157)\b|(?i:AZCMAgent command failed\b.{0,60}?exit ?code: ?26\b)|(?i:(?:his\.arc\.azure\.com|guestconfiguration\.azure\.com|agentserviceapi)\S{0,60} .{0,60}?\b(?:unreachable|not reachable)\b)|\[ERROR\][^|]{0,200}?tcp socket connected to host [\w-]+\.guestconfiguration\.azure\.com",
            says="the network keeps the agent from Azure",
            sample="level=error msg='Network Error' Exit Code: AZCM0026: Network Error",
            near_miss="https://gbl.his.arc.azure.com reachable true",
            weight=TYPICAL,
            unless=r"(?i)found private endpoint",
        ),
    ),
    why="azcmagent tests the endpoints of Entra, Azure Resource Manager, the Arc service and the guest configuration before it connects. One of them does not resolve, is blocked by a firewall or proxy, or is answered with a private address.",
    remedy=(
        Step(
            "Let the agent test its endpoints.",
            run=("azcmagent", "check", "--location", "<region>"),
            risk=Risk.READ,
        ),
        Step(
            "Open the endpoints that are not reachable, or give the agent its proxy with azcmagent config set proxy.url.",
            verify="azcmagent check wants every endpoint reachable",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/network-requirements",),
    leads_to=("host.machine_agent_failed",),
    ask="azcmagent check --location <region>",
)
