from sickbay.model.ids import arm
from sickbay.model.nexus import BareMetalMachine, NexusVirtualMachine, same_word
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


@each(NexusVirtualMachine, TYPICAL)
def vm_is_in_error(machine: NexusVirtualMachine, snapshot: Snapshot) -> Match | Clear | None:
    if not same_word(machine.detailed_status, "Error"):
        known = machine.detailed_status
        return Clear(f"virtual machine {machine.name} is {known}") if known else None
    # One that never came up has another reason.
    if not machine.is_succeeded:
        return None
    host = machine.bare_metal_machine_id
    below = snapshot.find(arm(host)) if host else None
    if isinstance(below, BareMetalMachine) and below.is_out:
        return None
    return Match(
        f"virtual machine {machine.name} is Succeeded, but its status is Error"
        + (f" while its host {below.name} is ready" if isinstance(below, BareMetalMachine) else ""),
        cites=(
            machine.cite("properties.detailedStatus", machine.detailed_status),
            machine.cite("properties.provisioningState", machine.provisioning_state),
        ),
    )


RULE = Rule(
    title="A Nexus virtual machine shows Error after its host restarted, and ignores actions",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        vm_is_in_error,
        Signature(
            pattern=r"(?i)\b(?:host|bare-?metal machine|rack\d+compute\d+)\b.{0,60}?\b(?:reboot|restart)\w*\b.{0,120}?\b(?:VM|virtual machine)s?\b.{0,60}?\bError\b.{0,200}?\b(?:ignored?|nothing happens|no effect|out of sync)\b",
            says="the machine shows Error since its host restarted, and actions have no effect",
            sample="after the host rebooted the Nexus VM shows Error and restart actions are ignored",
            near_miss="after the host rebooted the Nexus VM is Running and restart actions work",
            weight=TYPICAL,
        ),
    ),
    why="When a bare-metal host restarts, the state of a virtual machine on the site and its picture in Azure can go out of step: Azure shows Error, and start, stop or restart have no effect. Any update of the resource brings both together again.",
    remedy=(
        Step(
            "Set a tag on the virtual machine, which makes Azure read its state again.",
            run=(
                "az",
                "networkcloud",
                "virtualmachine",
                "update",
                "--ids",
                "{subject}",
                "--tags",
                "sync=again",
            ),
            risk=Risk.SAFE,
            verify="az resource show --ids {subject} wants detailedStatus Running",
        ),
        Step(
            "Restart it if it stays in Error.",
            run=("az", "networkcloud", "virtualmachine", "restart", "--ids", "{subject}"),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-vm-error-after-reboot",),
    ask="az resource show --ids {subject} --query properties.detailedStatusMessage",
)
