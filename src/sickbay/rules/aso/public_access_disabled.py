from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Firewall rules cannot be set: public network access of the server is disabled (DenyPublicEndpointEnabled)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bDenyPublicEndpointEnabled\b|(?i:firewall rules? .{0,60}?when public network (?:interface|access) .{0,40}?is disabled)|(?i:firewall rule operations cannot be requested for a private access enabled server)|\bFirewallRule\w*NotAllowedForPrivate\w*",
            says="the server takes no firewall rules, since its public access is disabled",
            sample="DenyPublicEndpointEnabled: Unable to create or modify firewall rules when public network interface for the server is disabled. To manage server or database level firewall rules, please enable the public network interface.",
            near_miss="The firewall rule was created; the public network interface for the server is enabled.",
        ),
    ),
    why="A server with publicNetworkAccess disabled, or one that was put into a virtual network, is reached through its private address alone. Firewall rules speak of public addresses, so the server refuses to take any; a tool that opens the firewall for itself (a pipeline that adds its own address) fails on this although it might reach the server privately.",
    remedy=(
        Step(
            "See whether the server takes public traffic.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "<server-id>",
                "--query",
                "properties.publicNetworkAccess || properties.network.publicNetworkAccess",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave the firewall rules out (and the objects that make them), and connect from inside the network through the private endpoint; or enable public network access if that is meant.",
            verify="the same request wants to succeed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-sql/database/connectivity-settings",
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private",
    ),
    leads_to=(
        "aso.invalid_value",
        "aso.request_refused",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.not_ready",
    ),
    ask="az resource show --ids <server-id> --query properties.publicNetworkAccess",
)
