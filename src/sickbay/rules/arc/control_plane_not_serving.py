from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import Result, Role, Way
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ApplianceVm)
def refuses_its_own_vm(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    api = vm.tried(Role.CONTROL_PLANE, Way.TCP)[0]
    if not api.is_failure or api.target not in (vm.addresses or ()):
        return Clear("the API server answers, or its address is not on the VM")
    return Match(
        f"step 2 of the six: the appliance VM holds {api.target}, but {api.says} on the VM itself",
        cites=(vm.cite("probes", api.says),),
        subject=vm.subject,
    )


@each(ManagementMachine, TYPICAL)
def refuses_this_machine(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    api = machine.tried(Role.CONTROL_PLANE, Way.TCP)[0]
    if api.result != Result.REFUSED:
        return Clear("no API server refuses this machine")
    if snapshot.holds(ApplianceVm.kind):
        return Clear("the appliance VM itself tried its API server")
    return Match(
        f"step 2 of the six: the control plane address answers, but {api.says}",
        cites=(machine.cite("probes", api.says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The control plane address answers, but no API server listens on its port 6443",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(refuses_its_own_vm, refuses_this_machine),
    why="The address of the control plane is in place and port 6443 is closed on it: kube-apiserver in the appliance has not started yet, or stopped. It waits for etcd, for its images, or for free disk; deployment waits for it and ends in a KVA timeout, and a bridge in service goes offline.",
    remedy=(
        Step(
            "Look at the API server and etcd in the appliance VM.",
            run=("ssh", "-i", "<logkey>", "<user>@<appliance-vm-ip>", "sudo", "crictl", "ps", "-a"),
            risk=Risk.READ,
        ),
        Step(
            "Read the last lines of the container that does not run, and mend what they name.",
            run=(
                "ssh",
                "-i",
                "<logkey>",
                "<user>@<appliance-vm-ip>",
                "sudo",
                "journalctl",
                "-u",
                "kubelet",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the appliance VM when nothing else is found.",
            risk=Risk.DISRUPTIVE,
            verify="port 6443 of the control plane accepts connections",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.kva_step_fails", "arc.kva_timeout", "arc.appliance_offline"),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
