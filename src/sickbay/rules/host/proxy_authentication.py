from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The proxy wants credentials (407 Proxy Authentication Required)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)407 Proxy Authentication Required|Proxy Authentication Required|Tunnel connection failed: 407|Received HTTP code 407 from proxy|: ?authentication ?required\W{0,4}$|GetLatestHelmPackagePath\S{0,200} ?:? ?authentication ?required",
            says="the proxy asks for credentials",
            sample="HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded with url: /subscriptions (Caused by ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication Required')))",
            near_miss="HTTPSConnectionPool(host='management.azure.com', port=443): 200 OK",
        ),
    ),
    why="A proxy between this machine and Azure answers 407 or `authenticationrequired` until it gets a user and password, which the environment variables HTTPS_PROXY and HTTP_PROXY must carry.",
    remedy=(
        Step(
            "Give the proxy with its credentials in HTTPS_PROXY and HTTP_PROXY, and the internal addresses in NO_PROXY, or exempt this machine from authentication.",
        ),
        Step(
            "Try it.",
            run=(
                "curl",
                "-v",
                "https://management.azure.com",
            ),
            risk=Risk.READ,
            verify="any HTTP answer from Azure is good",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting#work-behind-a-proxy",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
)
