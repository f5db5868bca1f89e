from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import DNS_FAILURES, Probe, Result, Role, Vantage, named
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

_WORDS = {
    Result.SERVER_SILENT.value: "gives no answer for",
    Result.SERVER_FAILED.value: "fails over",
}


@each(ApplianceVm)
def servers_fail_the_appliance(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    asked = [p for p in vm.probes if p.role in (Role.EXTERNAL, Role.INTERNAL)]
    return _judged(vm, [*asked, *vm.tried(Role.URL)])


@each(ManagementMachine, TYPICAL)
def servers_fail_us(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    asked = [p for p in machine.probes if p.role in (Role.EXTERNAL, Role.INTERNAL) and p.via]
    if snapshot.holds(ApplianceVm.kind):
        return Clear("the appliance VM itself asked its DNS servers")
    if not asked:
        return None
    # From here a server may be closed that the appliance reaches: only its words count.
    return _judged(machine, [p for p in asked if p.result != Result.SERVER_SILENT])


def _judged(place: Vantage, asked: list[Probe]) -> Match | Clear | None:
    lost = [
        probe
        for probe in asked
        if probe.result in DNS_FAILURES
        and not (probe.role == Role.INTERNAL and probe.result == Result.UNKNOWN_NAME)
    ]
    if not lost:
        return Clear(f"the DNS servers of the appliance answer the {place.place}")
    first = lost[0]
    server = f"the DNS server {first.via}" if first.via else "a DNS server of the appliance"
    told = _WORDS.get(first.result, "does not know")
    return Match(
        f"step 6 of the six: asked from the {place.place}, {server} {told} {named(lost)}",
        facts={"host": first.target},
        cites=(place.cite("probes", first.says),),
        subject=place.subject,
    )


RULE = Rule(
    title="The DNS servers of the appliance do not answer it (port 53), or do not know names that it needs",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        servers_fail_the_appliance,
        servers_fail_us,
        Signature(
            pattern=r"(?i)lookup (?P<host>[\w.-]+):? on 127\.0\.0\.53:53: (?:read udp .{0,80}?i/o timeout|server misb)",
            says="the appliance gets no answer from its DNS servers for {host}",
            sample='GuestInternetConnectivityError: Not able to connect to https://linuxgeneva-microsoft.azurecr.io. Error returned: action failed after 5 attempts: Get "https://linuxgeneva-microsoft.azurecr.io": dial tcp: lookup linuxgeneva-microsoft.azurecr.io on 127.0.0.53:53: server misbehaving. Arc Resource Bridge network and internet connectivity validation failed: http-connectivity-test-arc.',
            near_miss="lookup linuxgeneva-microsoft.azurecr.io on 127.0.0.53:53: 4 addresses",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)lookup (?P<host>[\w.-]+):? on 127\.0\.0\.53:53: no such host|\bDNSResolutionError\b",
            says="the DNS servers of the appliance do not know {host}: no such host",
            sample="GuestInternetConnectivityError: Not able to connect to https://mcr.microsoft.com. Error returned: action failed after 5 attempts: dial tcp: lookup mcr.microsoft.com on 127.0.0.53:53: no such host. Arc Resource Bridge network and internet connectivity validation failed: http-connectivity-test-arc.",
            near_miss="lookup mcr.microsoft.com on 127.0.0.53:53: 1 address",
            unless=r"(?i):(?:55000|65000)\b|cloud-agent-connectivity-test|/sdk\b",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:\bkva\.log|arcappliance|appliance ?VM).{0,400}?lookup (?P<host>[\w.-]+):? on [\d.]+:53: (?:read udp .{0,80}?i/o timeout|server misb|no such host)",
            says="the DNS server of the appliance does not answer for {host}",
            sample="kva.log: dial tcp: lookup mcr.microsoft.com on 10.20.0.2:53: read udp 10.20.0.16:41234->10.20.0.2:53: i/o timeout",
            near_miss="kva.log: lookup mcr.microsoft.com on 10.20.0.2:53 answered",
            weight=TYPICAL,
        ),
    ),
    why="The appliance VM asks the DNS servers of its configuration files for internal names (vCenter, MOC cloud agent) and external ones (mcr.microsoft.com, Azure). A server behind a closed port 53, or one that resolves only one of both worlds, leads to a KVA timeout; DNS servers cannot be changed afterwards, so new files and a new deployment are needed.",
    remedy=(
        Step(
            "Ask the DNS server of the configuration files for the name.",
            run=("nslookup", "{host}", "<dns-server>"),
            risk=Risk.READ,
        ),
        Step(
            "Let the appliance VM IPs reach the servers on port 53 (UDP and TCP), and use servers that resolve internal and external names.",
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
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_step_fails",
        "arc.kva_timeout",
        "arc.url_unreachable",
        "network.dns_server_silent",
        "network.dns_name_unknown",
    ),
    ask="nslookup <vcenter-or-cloud-agent> <dns-server>; nslookup mcr.microsoft.com <dns-server>",
)
