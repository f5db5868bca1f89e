from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, named
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_REFUSALS = (
    Result.PROXY_REFUSES,
    Result.PROXY_UNREACHABLE,
    Result.PROXY_UNKNOWN,
    Result.PROXY_BLIND,
)


@each(ManagementMachine)
def proxy_lets_nothing_through(
    machine: ManagementMachine,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    tried = machine.tried(Role.URL)
    refused = [probe for probe in tried if probe.result in _REFUSALS]
    if not refused:
        return Clear("no proxy keeps this machine from the required URLs")
    first = refused[0]
    told = f" ({first.detail})" if first.detail else ""
    return Match(
        f"from this machine, through the proxy {first.via}, {named(refused)} {first.result}{told}",
        cites=(machine.cite("probes", first.says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The proxy refuses the connection to Azure from this machine",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        proxy_lets_nothing_through,
        Signature(
            pattern=r"(?i)\bTCP_DENIED/\d+|Proxy CONNECT aborted|CONNECT tunnel failed, response (?:40[0134]|5\d\d)|proxy tunnel request to proxy .{3,120}? failed with status code '?(?:40[0134]|5\d\d)|Received HTTP code (?:40[0134]|5\d\d) from proxy after CONNECT|Tunnel connection failed: (?P<code>40[0134]|50[234])|X-Squid-Error: ERR_\w+|\bERR_(?:TUNNEL|PROXY)_CONNECTION_FAILED\b|NS_ERROR_PROXY_CONNECTION_REFUSED|Unable to connect to the server: (?:Forbidden|Bad Gateway|Service Unavailable|Gateway Timeout)|Error while proxying request: (?:Forbidden|Bad Gateway|Service Unavailable|Gateway Timeout|Proxy Authentication Required)|\"https://\S{0,120}(?:azmk8s\.io|azure\.com|microsoft\.com|microsoftonline\.com|windows\.net|azurecr\.io)[:/]\S{0,200}\": (?:Forbidden|Bad Gateway|Service Unavailable|Gateway Timeout|Method Not Allowed)(?: ?$|\"|\)|, )|ProxyError\(.{0,200}?(?:Connection refused|timed out|getaddrinfo failed|Name or service not known|WinError 1006[01]|A connection attempt failed)",
            says="the proxy does not let the connection through",
            sample="HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded (Caused by ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 403 Forbidden')))",
            near_miss="Tunnel connection to management.azure.com established",
            unless=r"from 169\.254\.",
        ),
        Signature(
            pattern=r"(?i)<title>[^<]{0,80}?(?:Blocked by Websense|Web Page Blocked|URL Blocked|Access (?:Blocked|Denied) by|FortiGuard|Zscaler|Application Blocked)|FortiGuard Intrusion Prevention|Your organization has selected Zscaler|has been blocked in accordance with company policy|Access Denied \(policy_denied\)|denied because of its content categorization",
            says="a web filter answers with a page of its own",
            sample="error: got '<html><head><title>Blocked by Websense</title>",
            near_miss="error: got '<html><head><title>Shop</title>",
        ),
    ),
    why="The proxy answers for Azure: it forbids the host (403, or a page of a web filter), cannot reach it (502, 503), or is not reachable itself (ProxyError, Cannot connect to proxy).",
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
    leads_to=("arc.kva_step_fails",),
    ask="curl -v https://management.azure.com",
)
