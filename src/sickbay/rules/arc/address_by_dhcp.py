from sickbay.model.arc import ApplianceInfra
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


@each(ApplianceInfra, TYPICAL)
def has_no_fixed_address(infra: ApplianceInfra, snapshot: Snapshot) -> Match | Clear | None:
    if infra.pool_start or infra.pool_end:
        return Clear(f"{infra.name} has the fixed address {infra.pool_start or infra.pool_end}")
    return Match(
        f"{infra.name} has no k8snodeippoolstart: its VM takes an address from DHCP",
        facts=infra.facts(snapshot),
        cites=(infra.cite("k8snodeippoolstart", None),),
        felt_as=("arc.appliance_offline", "arc.appliance_unreachable", "arc.kva_timeout"),
    )


RULE = Rule(
    title="The appliance takes its addresses from DHCP, so they can change with a restart",
    severity=Severity.WARNING,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        has_no_fixed_address,
        Signature(
            pattern=r"(?i)(?:appliance|resource bridge|control plane).{0,120}?(?:IP|address).{0,60}?(?:assigned|obtained|leased|changed) .{0,40}?DHCP|DHCP.{0,120}?(?:lease|address).{0,80}?(?:appliance|resource bridge|control plane)",
            says="the address of the appliance comes from DHCP",
            sample="The control plane IP of the appliance was assigned by a DHCP server and changed from 192.0.2.20 to 192.0.2.77 after the reboot",
            near_miss="The control plane IP of the appliance is static",
            weight=TYPICAL,
        ),
    ),
    why="The control plane of the bridge needs an address that stays. Without k8snodeippoolstart and k8snodeippoolend the VM takes what a DHCP server gives; after a restart the address can be another one, the API server is no longer at the configured address, and the bridge goes Offline.",
    remedy=(
        Step(
            "Restart the appliance VM: it may take its old address back.",
            risk=Risk.DISRUPTIVE,
            verify="Test-NetConnection <control-plane-ip> -Port 6443 wants TcpTestSucceeded True",
        ),
        Step(
            "Reserve the addresses of the appliance on the DHCP server.",
        ),
        Step(
            "For production deploy again with static addresses outside the DHCP range: ipaddressprefix, gateway, k8snodeippoolstart, k8snodeippoolend and controlPlaneEndpoint.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.appliance_unreachable",
        "arc.appliance_offline",
    ),
    ask="the DHCP leases of <appliance-vm-ip> and <control-plane-ip>",
)
