from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="This machine cannot reach the regional data plane of Arc (dp.kubernetesconfiguration.azure.com)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Error while performing DP health check|\bAZK8S0300\b|data-plane health check failed",
            says="the data plane does not answer this machine",
            sample="Error while performing DP health check: HTTPSConnectionPool(host='eastus.dp.kubernetesconfiguration.azure.com', port=443): Max retries exceeded with url: /healthcheck",
            near_miss="DP health check passed",
            passes=True,
        ),
        Signature(
            pattern=r"(?i)(?P<host>[\w-]+\.dp\.kubernetesconfiguration\.azure\.com)\S{0,300} ?.{0,60}?(?:dial tcp [\d.:]+: (?:i/o timeout|connectex|connect: connection (?:refused|timed out))|context deadline exceeded|Max retries exceeded|connection timed out|Connection refused|Read timed out)",
            says="{host} does not answer this machine",
            sample='Post "https://westeurope.dp.kubernetesconfiguration.azure.com/azure-arc-appliance-k8sagents/GetLatestHelmPackagePath?api-version=2019-11-01-preview&releaseTrain=stable": dial tcp 13.69.68.1:443: i/o timeout',
            near_miss='Post "https://westeurope.dp.kubernetesconfiguration.azure.com/azure-arc-appliance-k8sagents/GetLatestHelmPackagePath": 200 OK',
            unless=r"(?i)Outbound (?:Network )?Connectivity|getaddrinfo|Name or service not known|Failed to resolve|name resolution|ProxyError|Tunnel connection|SSLError|CERTIFICATE_VERIFY|GetLatestHelmPackagePath\S{0,200} ?:? ?authentication",
            passes=True,
        ),
    ),
    why="The CLI asks https://<region>.dp.kubernetesconfiguration.azure.com from the machine that runs it (the DP health check, GetLatestHelmPackagePath). A firewall or proxy does not let that machine through; the cluster or appliance itself is not concerned.",
    remedy=(
        Step(
            "Call the endpoint from this machine.",
            run=(
                "curl",
                "-v",
                "https://<region>.dp.kubernetesconfiguration.azure.com",
            ),
            risk=Risk.READ,
            verify="any HTTP status is an answer",
        ),
        Step(
            "Allow *.dp.kubernetesconfiguration.azure.com on 443 for this machine, or set HTTPS_PROXY and NO_PROXY for the CLI.",
        ),
        Step(
            "Repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    ask="curl -v https://<region>.dp.kubernetesconfiguration.azure.com",
)
