from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The endpoint of cluster connect is blocked, so kubectl through Arc will not work",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0307\b|This will affect the \"?cluster-connect\"? feature|(?:guestnotificationservice\.azure\.com|servicebus\.windows\.net)\S{0,200}:? .{0,80}?(?:timed out|timeout|refused|no such host|000\b|bad handshake|websocket)|(?:Name or service not known|could not be resolved|No such host is known|(?:connect|operation) (?:has )?timed out|refused it)\W.{0,120}?(?:guestnotificationservice\.azure\.com|azgnrelay[\w-]{1,40}\.servicebus)",
            says="an endpoint of cluster connect is not reached",
            sample='The outbound network connectivity check has failed for the endpoint - https://guestnotificationservice.azure.com This will affect the "cluster-connect" feature. If you are planning to use "cluster-connect" functionality, please ensure outbound connectivity to the above endpoint.',
            near_miss="The outbound network connectivity check passed for the endpoint - https://guestnotificationservice.azure.com",
        ),
    ),
    why="Cluster connect needs guestnotificationservice.azure.com and websockets to *.servicebus.windows.net. Onboarding works without them, but `az connectedk8s proxy` does not.",
    remedy=(
        Step(
            "Allow guestnotificationservice.azure.com and websockets to *.servicebus.windows.net on 443.",
        ),
        Step(
            "Try again.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",
    ),
    leads_to=(
        "arc.cluster_connect_unavailable",
        "arc.prechecks_failed",
    ),
    ask="curl -v https://guestnotificationservice.azure.com",
)
