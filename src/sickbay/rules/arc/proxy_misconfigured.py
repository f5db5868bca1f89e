from sickbay.model.arc import ApplianceSettings
from sickbay.model.snapshot import Snapshot
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
def no_proxy_list_is_malformed(
    settings: ApplianceSettings,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    exempt = (settings.proxy and settings.proxy.no_proxy) or ""
    items = exempt.split(",")
    bad = [item for item in items if not item or item != item.strip()] if exempt else []
    if bad:
        return Match(
            f"the no_proxy list of {settings.name} has blanks or empty items: {exempt[:80]!r}",
            cites=(settings.cite("proxy.noproxy", exempt),),
        )
    return Clear(f"the no_proxy list of {settings.name} is well formed")


RULE = Rule(
    title="The proxy settings of the appliance or the management machine are wrong",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        no_proxy_list_is_malformed,
        Signature(
            pattern=r"proxyconnect tcp: dial tcp: lookup (?P<host>[\w.:/-]+?):? (?:on \S+ )?no such host",
            says="the proxy {host} is not resolved",
            sample="InvalidEntityError: proxyconnect tcp: dial tcp: lookup http: no such host",
            near_miss="proxyconnect tcp: dial tcp 10.0.0.9:3128: connected",
        ),
        Signature(
            pattern=r"proxyconnect tcp: (?:dial tcp \S{3,60}:? (?:connect: connection refused|i/o timeout|connectex|connect: no route)|EOF|tls: first record does not look like a TLS handshake)",
            says="the proxy does not answer",
            sample='Get "https://mcr.microsoft.com/v2/": proxyconnect tcp: dial tcp 10.0.0.9:3128: connect: connection refused',
            near_miss='Get "https://mcr.microsoft.com/v2/": dial tcp 10.0.0.9:3128: connect: connection refused',
            weight=TYPICAL,
        ),
    ),
    why="A proxy URL with a doubled scheme or a name that DNS does not resolve (proxyconnect tcp: lookup http: no such host), a proxy without a way out, or a no_proxy list with blanks or empty items breaks image pulls and Helm values inside the appliance; the deployment then ends in a KVA timeout.",
    remedy=(
        Step(
            "Give the proxy as http://host:port once, and the no_proxy list with commas only; it needs the control plane IP, the appliance VM IPs, .svc, 10.96.0.0/12 and 10.244.0.0/16.",
        ),
        Step(
            "Delete, correct the files, and deploy again.",
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
