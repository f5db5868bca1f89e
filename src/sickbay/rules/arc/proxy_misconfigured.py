from sickbay.model.arc import ApplianceInfra, ApplianceSettings
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import contains, parse
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ApplianceSettings)
def proxy_is_malformed(
    settings: ApplianceSettings,
    snapshot: Snapshot,
) -> Match | Clear | None:
    exempt = (settings.proxy and settings.proxy.no_proxy) or ""
    if settings.proxy and settings.proxy.bad_url:
        return Match(
            f"the proxy URL of {settings.name} is no http://host:port: {settings.proxy.bad_url!r}",
            facts=settings.facts(snapshot),
            cites=(settings.cite("proxy.url", settings.proxy.bad_url),),
        )
    items = exempt.split(",")
    bad = [item for item in items if not item or item != item.strip()] if exempt else []
    if bad:
        return Match(
            f"the no_proxy list of {settings.name} has blanks or empty items: {exempt[:80]!r}",
            facts=settings.facts(snapshot),
            cites=(settings.cite("proxy.noproxy", exempt),),
        )
    return Clear(f"the no_proxy list of {settings.name} is well formed")


@each(ApplianceSettings, TYPICAL)
def sends_own_addresses_to_the_proxy(
    settings: ApplianceSettings, snapshot: Snapshot
) -> Match | Clear | None:
    proxy = next((named.host for named in settings.proxies), "")
    if not proxy:
        return Clear(f"{settings.name} has no proxy")
    exempt = (settings.proxy and settings.proxy.no_proxy) or ""
    infra = snapshot.get(kube(ApplianceInfra.kind, "", settings.name), ApplianceInfra)
    named = [("the control plane IP", settings.control_plane or "")]
    if infra:
        named += [("the appliance VM IP", infra.pool_start or ""), ("vCenter", infra.fabric)]
    for what, host in named:
        if host and not _is_exempt(host, exempt):
            return Match(
                f"{what} {host} of {settings.name} goes to the proxy {proxy}: "
                f"no_proxy does not hold it",
                facts=settings.facts(snapshot),
                cites=(settings.cite("proxy.noproxy", exempt),),
            )
    return Clear(f"no_proxy of {settings.name} holds its own addresses")


def _is_exempt(host: str, exempt: str) -> bool:
    items = [item.strip().casefold() for item in exempt.split(",") if item.strip()]
    if parse(host):
        return any(contains(item, host) for item in items if parse(item))
    name = f".{host.casefold()}"
    return any(name.endswith(f".{item.lstrip('*').lstrip('.')}") for item in items)


RULE = Rule(
    title="The HTTP proxy does not answer, or its settings on this machine, cluster or appliance are wrong",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        proxy_is_malformed,
        sends_own_addresses_to_the_proxy,
        Signature(
            pattern=r"proxyconnect tcp: dial tcp: lookup (?P<host>[\w.:/-]+?):? (?:on \S+ )?no such host|\bInvalidProxyURL\b|Please check proxy URL\. It is malformed|Proxy URL had no scheme|Could not resolve proxy: (?P<proxy>[\w-]+\.[\w.:/-]+)",
            says="the proxy {host} is not resolved",
            sample="InvalidEntityError: proxyconnect tcp: dial tcp: lookup http: no such host",
            near_miss="proxyconnect tcp: dial tcp 10.0.0.9:3128: connected",
        ),
        Signature(
            pattern=r"(?i)proxyconnect tcp: (?:dial tcp \S{3,60}:? (?:connect: connection refused|i/o timeout|connectex|connect: no route)|EOF|tls: first record does not look like a TLS handshake)",
            says="the proxy does not answer",
            sample='Get "https://mcr.microsoft.com/v2/": proxyconnect tcp: dial tcp 10.0.0.9:3128: connect: connection refused',
            near_miss='Get "https://mcr.microsoft.com/v2/": dial tcp 10.0.0.9:3128: connect: connection refused',
            weight=TYPICAL,
        ),
    ),
    why="A command or a node sends its requests to the proxy that its environment, az aks httpProxyConfig or the appliance names, and gets no connection to it. A proxy URL with a doubled scheme or a name that DNS does not resolve (proxyconnect tcp: lookup http: no such host), a proxy without a way out, or a no_proxy list with blanks or empty items has the same end; inside an appliance it breaks image pulls and Helm values, and the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "See whether the proxy answers, and what HTTPS_PROXY and NO_PROXY hold where the message comes from.",
            run=("curl", "-v", "-x", "<proxy>", "https://mcr.microsoft.com/v2/"),
            risk=Risk.READ,
        ),
        Step(
            "Give the proxy as http://host:port once, and the no_proxy list with commas only; a private API server belongs into it. For an appliance it needs the control plane IP, the appliance VM IPs, .svc, 10.96.0.0/12 and 10.244.0.0/16.",
        ),
        Step(
            "Only where an appliance was deployed with the wrong settings: delete it, correct the files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.kva_timeout",
        "network.dns_name_unknown",
    ),
    ask="curl -v -x <proxy> https://mcr.microsoft.com/v2/",
)
