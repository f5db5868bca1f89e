from sickbay.model.host import ApplianceVm
from sickbay.model.probe import Result, Role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ApplianceVm, TYPICAL)
def gets_no_answer(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    back = vm.tried(Role.MACHINE)[0]
    if back.result == Result.OK:
        return Clear(f"the appliance VM reaches the management machine {back.target}")
    return Match(
        f"step 3 of the six: from the appliance VM, the management machine {back.says}",
        cites=(vm.cite("probes", back.says),),
        subject=vm.subject,
        # Many machines drop pings from everybody: silence alone hurts nobody.
        felt_as=("arc.kva_timeout",) if back.result == Result.SILENT else (),
    )


RULE = Rule(
    title="The appliance VM cannot open connections back to the management machine",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(gets_no_answer,),
    why="The appliance VM and the control plane must reach the management machine, not only be reached by it. A firewall that lets this machine log in but rejects what the appliance begins leaves the deployment waiting, until it ends in a KVA timeout.",
    remedy=(
        Step(
            "Try the way back from the appliance VM.",
            run=(
                "ssh",
                "-i",
                "<logkey>",
                "<user>@<appliance-vm-ip>",
                "ping",
                "-c",
                "1",
                "<management-machine>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the appliance VM IPs and the control plane IP open connections to the management machine."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.kva_step_fails", "arc.kva_timeout"),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
