from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The machine resolves Arc's endpoints to private link, but was given no private link scope",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)No indication of Private Link Scope but found private endpoint (?P<endpoint>[\w.-]+): ?(?P<address>[\d.*]+)",
            says="{endpoint} has the private address {address}",
            sample="No indication of Private Link Scope but found private endpoint agentserviceapi.guestconfiguration.azure.com: 10.3.0.8",
            near_miss="Private Link Scope found, and private endpoint agentserviceapi.guestconfiguration.azure.com: 10.3.0.8",
        ),
    ),
    why="The DNS servers of the machine answer Arc's names with addresses of private endpoints (zones privatelink.his.arc.azure.com, privatelink.guestconfiguration.azure.com). Those serve only machines of their own private link scope; azcmagent was started without one and stops. Azure Local and resource bridges do not support private link at all.",
    remedy=(
        Step(
            "See what the name resolves to.",
            run=("nslookup", "{endpoint}"),
            risk=Risk.READ,
        ),
        Step(
            "Connect with --private-link-scope, or, for Azure Local, let DNS answer these names with their public addresses.",
            verify="azcmagent check wants every endpoint reachable",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/servers/private-link-security",),
    leads_to=("host.machine_endpoints_blocked", "host.machine_agent_failed"),
    ask="nslookup {endpoint}",
)
