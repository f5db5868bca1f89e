from sickbay.model.host import ManagementMachine
from sickbay.model.probe import Result, Role, Way
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


@each(ManagementMachine)
def login_is_refused(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.APPLIANCE, Way.LOGIN)
    refused = [probe for probe in tried if probe.result == Result.KEY_REFUSED]
    if not refused:
        return Clear("the appliance VM did not refuse the key for logs")
    return Match(
        f"step 1 of the six: {refused[0].says}",
        cites=(machine.cite("probes", refused[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The appliance VM refuses the key for logs: it belongs to another deployment or another machine",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        login_is_refused,
        Signature(
            pattern=r"(?i)(?:arcappliance|appliance logs|collecting logs|\blogkey\b).{0,400}?(?:ssh: unable to authenticate|Permission denied \(publickey)|(?:ssh: unable to authenticate|Permission denied \(publickey).{0,200}?(?:appliance|\blogkey\b)",
            says="the appliance VM refused the SSH key",
            sample="Appliance logs command failed: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain",
            near_miss="Appliance logs command succeeded: ssh: authenticated with publickey",
            weight=TYPICAL,
        ),
    ),
    why="Each deployment makes a key pair logkey under .KVA/.ssh of the machine that runs it, and puts its public half into the appliance VM. A VM that answers on port 22 but refuses the key was deployed from another machine or by another user, or a later attempt has overwritten the key here.",
    remedy=(
        Step(
            "Copy logkey and logkey.pub from the machine and user that deployed this VM into .KVA/.ssh, or name the key.",
            run=(
                "sickbay",
                "diagnose",
                "--appliance",
                "<folder-of-the-files>",
                "--logkey",
                "<file>",
            ),
            risk=Risk.READ,
            verify="the login succeeds",
        ),
        Step(
            "If the key is lost, delete the appliance and deploy it again from this machine.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.kva_step_fails",),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
