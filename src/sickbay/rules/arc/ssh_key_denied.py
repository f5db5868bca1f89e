from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, Way
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def key_cannot_be_read(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.APPLIANCE, Way.LOGIN)
    lost = [probe for probe in tried if probe.result == Result.KEY_UNREADABLE]
    if not lost:
        return Clear("the key for logs can be read")
    return Match(
        f"step 1 of the six: {lost[0].says}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The SSH key folder of the appliance (.KVA\\.ssh) is locked or closed to this user",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        key_cannot_be_read,
        Signature(
            pattern=r"(?i)Access to the file in the SSH folder was denied|\.KVA.{0,3}\.ssh.{0,3}(?:logkey(?:\.pub)?)?\W{0,3}.{0,60}?(?:permission denied|access is denied|access denied|being used by another process|not accessible)|(?:permission denied|access is denied|access to the path).{0,80}?\.KVA.{0,3}\.ssh",
            says="the SSH keys of the appliance are not accessible",
            sample="Access to the file in the SSH folder was denied: open C:\\Users\\arc\\.KVA\\.ssh\\logkey: Access is denied.",
            near_miss="SSH key C:\\Users\\arc\\.KVA\\.ssh\\logkey loaded",
        ),
    ),
    why="The CLI keeps the keys of the appliance under $HOME\\.KVA\\.ssh. The user who runs it has no rights on that folder, or another az process holds a file in it.",
    remedy=(
        Step(
            "Give the user rights on $HOME\\.KVA\\.ssh, and end other az processes of this profile.",
        ),
        Step(
            "Repeat the command, here the collection of logs.",
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
