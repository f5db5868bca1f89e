from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import CUT_OFF, Result, Role, Vantage, named
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

_BLOCKED = CUT_OFF | {Result.TLS_FAILED}


@each(ManagementMachine)
def machine_is_kept_from_some(
    machine: ManagementMachine,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    return _judged(machine)


@each(ApplianceVm)
def appliance_is_kept_from_some(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(vm)


def _judged(place: Vantage) -> Match | Clear | None:
    tried = place.tried(Role.URL)
    lost = [probe for probe in tried if probe.result in _BLOCKED]
    if not lost:
        return Clear(f"none of {len(tried)} required URLs is closed to the {place.place}")
    if len(lost) == len(tried):
        return Clear(f"not some but all URLs are closed to the {place.place}")
    return Match(
        f"step 4 of the six: from the {place.place}, {named(lost)} {lost[0].result}, "
        f"while {len(tried) - len(lost)} other required URLs are not cut off",
        facts={"url": f"https://{lost[0].target}"},
        cites=(place.cite("probes", lost[0].says),),
        subject=place.subject,
    )


RULE = Rule(
    title="A required URL is not reachable from the appliance or this machine: a firewall or proxy blocks it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        machine_is_kept_from_some,
        appliance_is_kept_from_some,
        Signature(
            pattern=r"""(?i)Not able to connect to (?P<url>https://[\w.<>-]+(?:/[^\s\"']*)?)|http-connectivity-required-url-test\W+Fail|Outbound connectivity to (?:the )?required urls? .{0,20}fail""",
            says="{url} is not reached from the appliance",
            sample="GuestInternetConnectivityError: Not able to connect to https://msk8s.sb.tlu.dl.delivery.mp.microsoft.com. Error returned: action failed after 5 attempts: EOF",
            near_miss="Connected to https://msk8s.sb.tlu.dl.delivery.mp.microsoft.com",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?P<url>https://[\w.-]*(?:cdp|delivery\.mp)\.microsoft\.com).{0,300}?(?:i/o timeout|connectex|connection refused|connection timed out|no route to host|forcibly closed|: EOF)",
            says="{url}, from which the image comes, is not reached",
            sample='az arcappliance prepare vmware: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": dial tcp 20.72.235.82:443: connectex: A connection attempt failed',
            near_miss='az arcappliance prepare vmware: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": 200 OK',
            weight=TYPICAL,
            # Whose name is not answered by the DNS server is not asked for at all.
            unless=r"(?i)proxyconnect|GuestInternetConnectivityError|dial tcp: lookup \S+",
        ),
        Signature(
            pattern=r"(?i)Overall Result: False.{0,300}?Exception Message: (?P<error>Unable to connect to the remote server|The operation has timed out|The underlying connection was closed|The request was aborted)|Invoke-(?:WebRequest|RestMethod) ?: (?:Unable to connect to the remote server|The operation has timed out|The underlying connection was closed)(?P<url>)",
            unless=r"Could not establish trust relationship",
            says="a connection from this machine was not answered",
            sample="Test Analysis - Overall Result: False Test Analysis - Exception Message: Unable to connect to the remote server Test Analysis - Layer 3 (tnc): False",
            near_miss="Test Analysis - Overall Result: True StatusCode: 403 Test Analysis - Layer 3 (tnc): True",
            weight=TYPICAL,
        ),
    ),
    why="Internet access works or half works, but one or more of the URLs that Arc needs are blocked by a firewall or a proxy. The validation says `Not able to connect to https://…`, the deployment may end in a KVA timeout.",
    remedy=(
        Step(
            "Try the URL from the network of the appliance.",
            run=(
                "curl",
                "-v",
                "{url}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the URL on 443 for the appliance VM IPs and the control plane IP, directly or through the proxy; compare the whole allowlist.",
        ),
        Step(
            "Repeat the deployment.",
            verify="az arcappliance validate <fabric> --config-file <name>-appliance.yaml passes",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.kva_step_fails",
        "arc.kva_timeout",
    ),
    ask="az arcappliance validate <fabric> --config-file <name>-appliance.yaml",
)
