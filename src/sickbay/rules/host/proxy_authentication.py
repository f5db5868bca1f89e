from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, named
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def proxy_wants_login(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.URL)
    asked = [probe for probe in tried if probe.result == Result.PROXY_LOGIN]
    if not asked:
        return Clear("no proxy asked this machine for credentials")
    return Match(
        f"the proxy {asked[0].via} answers 407 to this machine for {named(asked)}",
        cites=(machine.cite("probes", asked[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The proxy wants credentials (407 Proxy Authentication Required)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        proxy_wants_login,
        Signature(
            pattern=r"(?i)407 Proxy Authentication Required|Proxy Authentication Required|Tunnel connection failed: 407|Received HTTP code 407 from proxy|CONNECT tunnel failed, response 407|: ?authentication ?required\W{0,4}$|GetLatestHelmPackagePath\S{0,200} ?:? ?authentication ?required",
            says="the proxy asks for credentials",
            sample="HTTPSConnectionPool(host='management.azure.com', port=443): Max retries exceeded with url: /subscriptions (Caused by ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication Required')))",
            near_miss="HTTPSConnectionPool(host='management.azure.com', port=443): 200 OK",
            # A registry says `unauthorized: authentication required` in the same place.
            unless=r"(?i)unauthorized: ?authentication ?required|failed to list refs|\bclone\b|\bgit\b|checkout|repository connectivity",
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
    leads_to=("arc.kva_step_fails",),
    ask="curl -v https://management.azure.com",
)
