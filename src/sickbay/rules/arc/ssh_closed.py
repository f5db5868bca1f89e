from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, Way
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagementMachine)
def nobody_listens(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    closed = [p for p in machine.tried(Role.APPLIANCE, Way.LOGIN) if p.result == Result.NO_SSH]
    if not closed or machine.failed(Role.APPLIANCE, Way.REACH):
        return Clear("SSH is open, or the appliance VM does not answer at all")
    return Match(
        f"step 1 of the six: the appliance VM answers, but {closed[0].says}",
        cites=(machine.cite("probes", closed[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The appliance VM answers, but not on port 22: its logs cannot be collected over SSH",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(nobody_listens,),
    why="`az arcappliance logs` and the deployment itself log in to the appliance VM over SSH. The address answers, but port 22 is refused or dropped: a firewall lets other traffic pass and not this port, or the SSH server inside the VM does not run.",
    remedy=(
        Step(
            "Try the port from the management machine.",
            run=("Test-NetConnection", "<appliance-vm-ip>", "-Port", "22"),
            risk=Risk.READ,
            verify="TcpTestSucceeded wants True",
        ),
        Step("Open port 22 from the management machine to the appliance VM IPs."),
        Step("If it is open and still refused, restart the appliance VM.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.kva_step_fails",),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
