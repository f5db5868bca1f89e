from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="This machine cannot resolve Azure's names: its own DNS fails",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Failed to resolve '(?P<host>[\w.-]+)'|HTTPSConnectionPool\(host='(?P<target>[\w.-]+)'.{0,300}?(?:getaddrinfo failed|Name or service not known|Temporary failure in name resolution|nodename nor servname)|NameResolutionError|GetLatestHelmPackagePath.{0,300}?lookup (?P<endpoint>[\w.-]+):? (?:on \S+ )?no such host|lookup (?P<plane>[\w-]+\.dp\.kubernetesconfiguration\.azure\.com): no such host",
            says="{host} does not resolve on this machine",
            sample="HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: / (Caused by NameResolutionError(\": Failed to resolve 'login.microsoftonline.com' ([Errno 11001] getaddrinfo failed)\"))",
            near_miss="HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Read timed out.",
        ),
    ),
    why="The Azure CLI on the management machine cannot resolve management.azure.com, login.microsoftonline.com or a registry: the DNS servers of this machine are down, or they do not forward external names.",
    remedy=(
        Step(
            "Ask for the name.",
            run=(
                "nslookup",
                "{host}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair the DNS servers of this machine, or let the proxy resolve (HTTPS_PROXY).",
            verify="nslookup {host} answers",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",),
    leads_to=("network.dns_name_unknown", "network.name_resolution_fails"),
    ask="nslookup {host}",
)
