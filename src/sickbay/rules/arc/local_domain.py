from sickbay.model.arc import ApplianceFile, ApplianceInfra, ApplianceSettings
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

# Names of services end in .local too, and CoreDNS answers for them.
_CLUSTER_NAME = r"(?i)lookup [^ ]{0,250}\.cluster\.local"


@each(ApplianceInfra)
def names_a_local_host(infra: ApplianceInfra, snapshot: Snapshot) -> Match | Clear | None:
    return _judged(infra, "infra", snapshot)


@each(ApplianceSettings)
def settings_name_a_local_host(
    settings: ApplianceSettings,
    snapshot: Snapshot,
) -> Match | Clear | None:
    return _judged(settings, "appliance", snapshot)


def _judged(file: ApplianceFile, part: str, snapshot: Snapshot) -> Match | Clear:
    local = file.own_domain_hosts
    if not local:
        return Clear(f"{file.name}-{part}.yaml names no host under .local")
    first = local[0]
    return Match(
        f"{file.name}-{part}.yaml sets {first.setting} to {first.host}",
        facts={**file.facts(snapshot), "host": first.host},
        cites=tuple(file.cite(named.setting, named.host) for named in local[:3]),
    )


RULE = Rule(
    title="The appliance is configured with a .local name that it cannot resolve",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        names_a_local_host,
        settings_name_a_local_host,
        Signature(
            pattern=r"(?i)https?://[\w.-]+\.local(?:/sdk|/nfc/|[^ ]{0,200}\.vmdk|:(?:50000|55000|65000))[^ ]{0,200}:? .{0,60}?lookup (?:https?://)?(?P<host>[\w.-]+\.local)\.?(?::\d+)?:? ?(?:on [^ ]{2,60} )?(?:no such host|Temporary failure in name resolution|server misbehaving|i/o timeout)",
            says="the appliance cannot resolve {host}",
            sample='Post "https://esx.lab.local/52b-bcbc707ce02c/disk-0.vmdk": dial tcp: lookup esx.lab.local: no such host',
            near_miss='Post "https://esx.lab.contoso.com/52b-bcbc707ce02c/disk-0.vmdk": dial tcp: lookup esx.lab.contoso.com: no such host',
            unless=_CLUSTER_NAME,
        ),
        Signature(
            pattern=r"(?i)lookup (?:https?://)?(?P<host>[\w.-]+\.local)(?::\d+)?:? (?:on 127\.0\.0\.53:53: )?(?:no such host|Temporary failure in name resolution)",
            says="{host} is not resolved",
            sample="dial tcp: lookup vcenter.lab.local: no such host",
            near_miss="dial tcp: lookup orders.shop.svc.cluster.local: no such host",
            weight=TYPICAL,
            unless=_CLUSTER_NAME,
        ),
    ),
    why="The appliance VM runs Azure Linux, which does not resolve names under .local by default (they belong to multicast DNS). A vCenter, ESXi, datastore, cloud agent, proxy or DNS setting with such a name fails with `no such host`, and the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "Use the IP address of {host}, or a name outside .local that the DNS servers resolve, in the configuration files.",
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "network.dns_server_silent",
        "arc.url_unreachable",
        "arc.kva_timeout",
        "arc.appliance_dns",
        "arc.datastore_upload_lost",
        "network.dns_name_unknown",
    ),
    ask="grep -n '\\.local' <name>-infra.yaml <name>-appliance.yaml",
)
