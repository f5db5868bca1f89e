from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import Role, Way
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


@each(ManagementMachine, TYPICAL)
def only_the_vm_answers(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    vm = machine.tried(Role.APPLIANCE, Way.REACH)
    lost = machine.failed(Role.CONTROL_PLANE, Way.REACH)
    if not lost or any(probe.is_failure for probe in vm):
        return Clear("the control plane address answers, or the VM does not answer either")
    vms = snapshot.some(ApplianceVm) if snapshot.holds(ApplianceVm.kind) else ()
    if any(lost[0].target in (one.addresses or ()) for one in vms):
        return Clear(f"{lost[0].target} is on the appliance VM")
    return Match(
        f"step 2 of the six: the appliance VM {vm[0].target} answers, "
        f"but the control plane {lost[0].says}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


@each(ApplianceVm)
def is_not_on_the_vm(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    address = vm.tried(Role.CONTROL_PLANE)[0].target
    held = vm.known(vm.addresses, "the addresses")
    if address in held:
        return Clear(f"the appliance VM holds {address}")
    if not vm.failed(Role.CONTROL_PLANE):
        return Clear(f"{address} answers from another VM")
    return Match(
        f"step 2 of the six: {address} is not among the addresses of the appliance VM "
        f"({', '.join(held)})",
        cites=(vm.cite("addresses", ", ".join(held)),),
        subject=vm.subject,
    )


RULE = Rule(
    title="The resource bridge has lost its control plane IP: it is not on the appliance VM any more",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        only_the_vm_answers,
        is_not_on_the_vm,
        Signature(
            pattern=r"(?i)Netlink reflector reports IP (?P<vip>[\d.]+) removed|Keepalived_vrrp.{0,200}?(?:lost|removed|deleted|no longer|missing).{0,40}?(?:VIP|address|(?P<address>\d+\.\d+\.\d+\.\d+))|Netlink reports .{0,80}? (?:down|removed|deleted)|VRRP_Instance\(\w+\) Entering FAULT STATE",
            says="keepalived gave up the virtual address",
            sample="Keepalived_vrrp[912]: VRRP_Instance(VI_1) Entering FAULT STATE",
            near_miss="Keepalived_vrrp[912]: VRRP_Instance(VI_1) Entering MASTER STATE",
            weight=TYPICAL,
        ),
    ),
    why="The control plane needs a static address. An address from DHCP without a reservation can change with a reboot, and keepalived loses a virtual address when systemd-networkd is restarted; every call to the API server of the bridge then fails, although the VM answers on its own address.",
    remedy=(
        Step(
            "Ask both addresses from the management machine.",
            run=(
                "Test-NetConnection",
                "<control-plane-ip>",
                "-Port",
                "6443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the appliance VM: it takes its address back.",
            risk=Risk.DISRUPTIVE,
            verify="Test-NetConnection <control-plane-ip> -Port 6443 wants TcpTestSucceeded True",
        ),
        Step(
            "Reserve the address if a DHCP server gives it.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "arc.appliance_offline",
    ),
    ask="Test-NetConnection <control-plane-ip> -Port 6443; ping <appliance-vm-ip>",
)
