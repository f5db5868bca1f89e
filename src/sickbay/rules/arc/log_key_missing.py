from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, Way
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def key_is_not_here(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.APPLIANCE, Way.LOGIN)
    lost = [probe for probe in tried if probe.result == Result.KEY_MISSING]
    if not lost:
        return Clear("the key for logs is on this machine")
    return Match(
        f"step 1 of the six: {lost[0].says}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The key pair logkey of the appliance is not on this machine, so logs cannot be collected over SSH",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        key_is_not_here,
        Signature(
            pattern=r"(?i)\.KVA.{0,3}\.ssh.{0,3}logkey(?:\.pub)?\W{0,3}.{0,80}?(?:no such file|cannot find|not found|does not exist|doesn't exist)|(?:no such file|cannot find|not found|does not exist|missing).{0,80}?\.KVA.{0,3}\.ssh.{0,3}logkey",
            says="the key pair of the appliance is not on this machine",
            sample="Error: open C:\\Users\\arc\\.KVA\\.ssh\\logkey: The system cannot find the file specified.",
            near_miss="SSH key C:\\Users\\arc\\.KVA\\.ssh\\logkey loaded",
        ),
    ),
    why="`az arcappliance logs` logs in to the appliance VM by SSH with the key pair logkey and logkey.pub, which the deployment saved under $HOME\\.KVA\\.ssh of the management machine. On another machine, or under another user, the keys are not there.",
    remedy=(
        Step(
            "Copy logkey and logkey.pub from $HOME\\.KVA\\.ssh of the machine that deployed the bridge to the same folder here, or collect from that machine.",
        ),
        Step(
            "Collect again.",
            run=(
                "az",
                "arcappliance",
                "logs",
                "<fabric>",
                "--ip",
                "<appliance-vm-ip>",
                "--out-dir",
                "logs",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.kva_step_fails",),
    ask="az arcappliance logs <fabric> --ip <appliance-vm-ip> --out-dir logs",
)
