from sickbay.model.host import ApplianceVm
from sickbay.model.probe import CUT_OFF, Result, Role
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


@each(ApplianceVm)
def reaches_no_url(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = vm.tried(Role.URL)
    if any(probe.result not in _BLOCKED for probe in tried):
        return Clear("the appliance VM reaches some of the required URLs, or fails before it tries")
    return Match(
        f"step 4 of the six: from the appliance VM, none of {len(tried)} required URLs is reached; "
        f"{tried[0].says}",
        cites=(vm.cite("probes", tried[0].says),),
        subject=vm.subject,
    )


RULE = Rule(
    title="The appliance VM has no internet access",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        reaches_no_url,
        Signature(
            pattern=r"(?i)\b(?:Guest)?InternetConnectivityError\b.{0,400}?(?:no route to host|network is unreachable|dial tcp [\d.]+:443: i/o timeout|connect: connection timed out|context deadline exceeded)|gateway-icmp-ping-test\W+Fail",
            says="the appliance VM does not get out to the internet",
            sample='PostOperationsError: GuestInternetConnectivityError: Not able to connect to https://mcr.microsoft.com. Error returned: action failed after 5 attempts: Get "https://mcr.microsoft.com": dial tcp 20.61.99.68:443: i/o timeout. Arc Resource Bridge network and internet connectivity validation failed: http-connectivity-test-arc.',
            near_miss="gateway-icmp-ping-test              Success",
            weight=TYPICAL,
            unless=r"dial tcp (?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)",
        ),
    ),
    why="The appliance VM and its control plane IP pull container images and talk to Azure over 443. No gateway, no route or a missing proxy setting cuts them off altogether, every required URL fails, and the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "From a machine in the network of the appliance, reach the registry.",
            run=(
                "curl",
                "-v",
                "https://mcr.microsoft.com/v2/",
            ),
            risk=Risk.READ,
            verify="any HTTP answer is good",
        ),
        Step(
            "Correct the gateway and the route of the appliance network, or give the proxy in the configuration files.",
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
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "arc.url_unreachable",
        "arc.appliance_offline",
    ),
    ask="curl -v https://mcr.microsoft.com/v2/ from a machine in the network of the appliance",
)
