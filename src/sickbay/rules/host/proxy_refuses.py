from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The proxy refuses the connection to Azure from this machine",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Tunnel connection failed: (?P<code>40[0134]|50[234])|ProxyError\(.{0,200}?(?:Connection refused|timed out|getaddrinfo failed|Name or service not known)",
            says="the proxy does not let the connection through",
            sample="HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded (Caused by ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 403 Forbidden')))",
            near_miss="Tunnel connection to management.azure.com established",
        ),
    ),
    why="The proxy answers for Azure: it forbids the host (403), cannot reach it (502, 503), or is not reachable itself (ProxyError, Cannot connect to proxy).",
    remedy=(
        Step(
            "See which proxy is set.",
            run=(
                "az",
                "config",
                "get",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the Azure hosts on the proxy, or put them in NO_PROXY.",
        ),
        Step(
            "Try it.",
            run=(
                "curl",
                "-v",
                "https://management.azure.com",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting#work-behind-a-proxy",
    ),
)
