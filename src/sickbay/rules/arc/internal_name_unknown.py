from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import Probe, Result, Role, Vantage
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


@each(ApplianceVm)
def its_server_does_not_know(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(vm, vm.tried(Role.INTERNAL))


@each(ManagementMachine, TYPICAL)
def server_does_not_tell_us(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    asked = [probe for probe in machine.tried(Role.INTERNAL) if probe.via]
    if snapshot.holds(ApplianceVm.kind):
        return Clear("the appliance VM itself asked its DNS servers")
    return _judged(machine, asked) if asked else None


def _judged(place: Vantage, asked: list[Probe]) -> Match | Clear | None:
    lost = [probe for probe in asked if probe.result == Result.UNKNOWN_NAME]
    if not lost:
        return Clear(f"no DNS server tells the {place.place} that it does not know the name")
    first = lost[0]
    return Match(
        f"step 6 of the six: the DNS server {first.via} of the appliance does not know "
        f"{first.target} ({first.detail}), asked from the {place.place}",
        cites=(place.cite("probes", first.says),),
        subject=place.subject,
    )


RULE = Rule(
    title="The DNS server of the appliance does not know the cloud agent's or vCenter's name (no such host)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        its_server_does_not_know,
        server_does_not_tell_us,
        Signature(
            pattern=r"(?i)Not able to connect to https?://(?P<host>[\w.-]+):(?:50000|55000|65000)\b.{0,300}?(?:no such host|lookup [\w.-]*\.(?:com|net|org|lab|lan|corp|internal|intra|ad|home|\w{2})\b.{0,60}?(?:Temporary failure in name resolution|server misbehaving))|cloud-agent-connectivity-test.{0,400}?no such host|no such host.{0,300}?cloud-agent-connectivity-test",
            says="{host} is not known to the DNS server of the appliance",
            sample="GuestInternetConnectivityError: Not able to connect to http://aszhcitest01.company.org:55000. Error returned: action failed after 5 attempts: Get http://aszhcitest01.company.org:55000: dial tcp: lookup aszhcitest01.company.org: on 127.0.0.53:53: no such host. Arc Resource Bridge network and internet connectivity validation failed: cloud-agent-connectivity-test.",
            near_miss="Not able to connect to http://aszhcitest01.company.org:55000. Error returned: dial tcp 10.0.0.7:55000: i/o timeout",
            unless=r"(?i)lookup [\w.-]+\.local\b",
        ),
        Signature(
            pattern=r"(?i)Not able to connect to https://(?P<host>[\w.-]+)/sdk.{0,300}?on 127\.0\.0\.53:53: no such host|can't find (?P<vcenter>[\w.-]*(?:\bvc|vcenter|vcsa|vsphere)[\w-]*\.[\w.-]+): (?:Non-existent domain|NXDOMAIN|server can't find)|(?:vsphere(?:vm|cluster|machine)_controller|failed to create vSphere session).{0,400}?lookup (?P<inner>[\w.-]+):? (?:on \S+ )?no such host|lookup (?P<name>[\w.-]*(?:\bvc|vcenter|vcsa|vsphere)[\w-]*\.[\w.-]+):? on 127\.0\.0\.53:53: no such host",
            says="vCenter's name is not known to the DNS server of the appliance",
            sample="failed to create session: dial tcp: lookup vcenter01.corp.contoso.com on 127.0.0.53:53: no such host",
            near_miss="failed to create session: dial tcp: lookup mcr.microsoft.com on 127.0.0.53:53: no such host",
            weight=TYPICAL,
            unless=r"(?i)lookup [\w.-]+\.local\b",
        ),
    ),
    why="The DNS server that the configuration files name answers, but says that the internal name does not exist (NXDOMAIN, no such host): the MOC cloud agent of Azure Local, or vCenter, is registered on another server. The appliance cannot reach its private cloud and the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "Ask the DNS server of the configuration files.",
            run=(
                "Resolve-DnsName",
                "-Name",
                "<cloud-agent-or-vcenter>",
                "-Server",
                "<dns-server>",
            ),
            risk=Risk.READ,
            verify="the answer wants the address of the cloud agent or vCenter",
        ),
        Step(
            "Add the record on that server, or use a DNS server that knows internal and external names.",
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
        "arc.appliance_dns",
        "arc.url_unreachable",
        "network.dns_name_unknown",
    ),
    ask="nslookup <cloud-agent-or-vcenter> <dns-server>",
)
