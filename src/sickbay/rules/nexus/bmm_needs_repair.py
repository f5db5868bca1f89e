from sickbay.model.nexus import BareMetalMachine, same_word
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


@each(BareMetalMachine)
def validation_failed(machine: BareMetalMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    status = machine.hardware_validation_status
    if status is None or not status.result:
        return None
    if not same_word(status.result, "Fail"):
        return Clear(f"hardware validation of {machine.name}: {status.result}")
    return Match(
        f"hardware validation of {machine.name} failed",
        cites=(machine.cite("properties.hardwareValidationStatus.result", status.result),),
    )


RULE = Rule(
    title="A bare-metal machine failed hardware validation or may require hardware replacement",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        validation_failed,
        Signature(
            pattern=r"(?i)This machine has failed hardware validation|\bBMMHasHardwareValidationFailures\b",
            says="the machine failed hardware validation",
            sample="The OS is provisioned to the machine. Warning: This machine has failed hardware validation",
            near_miss="This machine has passed hardware validation",
        ),
        Signature(
            pattern=r"(?i)\b(?:bare ?metal ?machines?|BMM|replace|reimage|rack\d+\w{2,30})\b.{0,200}?(?:(?:did not|didn't|does not) pass (?:the )?hardware ?validation|(?:failed|failing|rejected by|refused by|because of) (?:the )?hardware ?validation|hardware ?validation\b[\w ]{0,24}?(?:failed|rejected|refused|not pass|unsuccessful))|hardware ?validation\b.{0,80}?(?:failed|rejected|unsuccessful).{0,160}?\b(?:bare ?metal ?machine|BMM|replace)\b",
            says="hardware validation of the machine failed",
            sample="BareMetalMachine replace failed: machine rack1compute02 did not pass hardware validation.",
            near_miss="BareMetalMachine replace done: machine rack1compute02 passed hardware validation.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)BMM Node is unhealthy and may require hardware replacement",
            says="the machine keeps failing and may need new hardware",
            sample="Warning: BMM Node is unhealthy and may require hardware replacement",
            near_miss="The BMM Node is healthy and needs no hardware replacement",
        ),
    ),
    why="Validation compares the parts and health of the machine with what its model must have; a machine that fails it, or that stays unhealthy after restarts, is kept out of the cluster until it is repaired. Validation also runs before a replace action, and refuses it.",
    remedy=(
        Step(
            "See what validation said.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "hardwareValidationStatus",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart it, then reimage it.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "reimage",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Replace the part that fails and run the replace action.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatusMessage without Degraded or Warning",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-warning",
    ),
    leads_to=(
        "nexus.bmm_not_ready",
        "nexus.hardware_validation",
    ),
    ask="az networkcloud baremetalmachine list -o table",
)
