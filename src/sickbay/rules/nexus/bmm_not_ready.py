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
def machine_is_not_ready(machine: BareMetalMachine, snapshot: Snapshot) -> Match | Clear | None:
    if machine.fell_with_others(snapshot):
        return None
    is_stuck = machine.is_unwell or same_word(machine.detailed_status, "Error")
    is_mute = same_word(machine.detailed_status, "Provisioned") and same_word(
        machine.ready_state, "False"
    )
    if not is_stuck and not is_mute:
        return Clear(f"{machine.name} is ready") if same_word(machine.ready_state, "True") else None
    return Match(
        f"machine {machine.name} is {machine.provisioning_state} ({machine.detailed_status}), ready: {machine.ready_state}, power: {machine.power_state}",
        facts={
            "phase": machine.detailed_status or "unknown",
            "power": machine.power_state or "unknown",
        },
        cites=(
            machine.cite("properties.provisioningState", machine.provisioning_state),
            machine.cite("properties.readyState", machine.ready_state),
        ),
    )


RULE = Rule(
    title="A bare-metal machine is not ready: its provisioning stopped while Preparing or without power",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CREATION,
    ),
    detect=(
        machine_is_not_ready,
        Signature(
            pattern=r"(?i)\bFalse\s+Failed\s+(?P<phase>Registering|Preparing|Inspecting|Provisioning|Deprovisioning|Error)\b.{0,160}?\s(?P<power>On|Off)\b",
            says="a machine is not ready: it Failed in phase {phase} with power {power}",
            sample="x01dev01c01w01 False Failed Preparing Preparing for provisioning of the machine Off platform.afo-nc.microsoft.com/compute-plane=true",
            near_miss="x01dev01c01w01 True Succeeded Provisioned The OS is provisioned to the machine On platform.afo-nc.microsoft.com/compute-plane=true",
        ),
        Signature(
            pattern=r"(?i)BMM Node readiness doesn.?t match expected state|\bBMMHasNodeReadinessProblem\b",
            says="the node of the machine is not in the readiness that the platform expects",
            sample="The OS is provisioned to the machine. Warning: BMM Node readiness doesn't match expected state",
            near_miss="The OS is provisioned to the machine. The BMM Node readiness matches the expected state",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:bare ?metal ?machines?|BMM)\b.{0,100}?\b(?:is|are|was|shows?|stays?|remains?|became|went)\b.{0,30}?\b(?:Not ?Ready|not ready|powered off|unreachable|unresponsive|down|offline)\b(?P<phase>)(?P<power>)",
            says="a machine is not ready",
            sample="nexus bare metal machine rack2compute11 is NotReady and powered off",
            near_miss="nexus bare metal machine rack2compute11 is Ready",
            unless=r"(?i)Degraded:|Warning:|BMC|control ?-?plane",
            weight=TYPICAL,
        ),
    ),
    why="The machine is not part of the cluster: its provisioning failed in an early phase (Registering, Preparing, Inspecting), mostly because the BMC cannot power it on, cannot be reached, or hardware validation fails.",
    remedy=(
        Step(
            "See phase, power and message of every machine.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Read why the last update of the machine failed.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the machine.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "start",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants readyState True",
        ),
        Step("Repair what the message names, then run the replace action."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-provisioning",
    ),
    leads_to=(
        "nexus.upgrade_prerequisites",
        "nexus.capacity_insufficient",
        "nexus.vm_node_down",
    ),
    ask="az networkcloud baremetalmachine list -o table",
)
