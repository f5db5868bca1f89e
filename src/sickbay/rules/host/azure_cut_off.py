from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="This machine does not get through to Azure: a firewall or proxy drops or cuts the connection of the CLI",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)HTTPS?ConnectionPool\(host='(?P<host>[\w.-]*(?:azure|microsoft|windows\.net|aka\.ms|live\.com|msauth|pypi\.org|pythonhosted)[\w.-]*)'.{0,400}?(?:Errno 1(?:10|01|13|04)\]|WinError 100(?:60|54|13|51|65)\]|Connection timed out|ConnectTimeout|Read timed out|SSLEOFError|EOF occurred in violation of protocol|ConnectionResetError|RemoteDisconnected|Network is unreachable|No route to host)|EOF occurred in violation of protocol.{0,200}?(?:azure|microsoft)|Unable to verify outbound https? connectivity to (?P<endpoint>https?://\S+)",
            says="the connection to Azure does not come about",
            sample="HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded with url: /subscriptions (Caused by SSLError(SSLEOFError(8, 'EOF occurred in violation of protocol (_ssl.c:1129)')))",
            near_miss="HTTPSConnectionPool(host='management.azure.com', port=443): 200 OK",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The CLI calls Azure over HTTPS (port 443). No answer at all (timed out, 10060), a refused socket (10013) or a handshake that is cut off (SSLEOFError, Connection reset, RemoteDisconnected) means that a firewall, a proxy that is needed but not set (HTTPS_PROXY), or security software stands in between.",
    remedy=(
        Step(
            "See whether the machine reaches Azure, and how.",
            run=(
                "curl",
                "-v",
                "https://management.azure.com",
            ),
            risk=Risk.READ,
            verify="the answer is 400 or 401 with a certificate of Microsoft",
        ),
        Step(
            "Allow the host on port 443, or name the proxy in HTTPS_PROXY (as http://host:port) and leave the cluster's own addresses in NO_PROXY.",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",),
    leads_to=(
        "network.connection_times_out",
        "network.connection_cut",
        "host.cli_extension_uninstallable",
    ),
    ask="curl -v https://management.azure.com",
)
