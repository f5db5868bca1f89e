from sickbay.model.nexus import BareMetalMachine, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(BareMetalMachine)
def machine_is_off(machine: BareMetalMachine, snapshot: Snapshot) -> Match | Clear | None:
    if machine.fell_with_others(snapshot):
        return None
    # A spare machine (Available) is off by nature.
    if not machine.power_state or not same_word(machine.detailed_status, "Provisioned"):
        return None
    if not same_word(machine.power_state, "Off"):
        return Clear(f"{machine.name} is {machine.power_state}")
    return Match(
        f"machine {machine.name} is Provisioned and its power is Off",
        cites=(
            machine.cite("properties.powerState", machine.power_state),
            machine.cite("properties.detailedStatus", machine.detailed_status),
        ),
    )


RULE = Rule(
    title="A bare-metal machine is off although it should be on",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        machine_is_off,
        Signature(
            pattern=r"(?i)BMM power state doesn.?t match expected state|\bBmmPoweredO(?:n|ff)Expected\b|\bBMMPowerStateDoesNotMatchExpected\b|BareMetalMachine expected to be powered o(?:n|ff)",
            says="the power state of the machine is not the expected one",
            sample="BmmPoweredOnExpected: BareMetalMachine expected to be powered on",
            near_miss="BmmPowerStateHealthy: BareMetalMachine is powered on",
        ),
    ),
    why="The platform wants the machine powered on (BmmPoweredOnExpected) and its BMC reports another power state: it was shut off outside of Azure, lost its feed, or the BMC answers wrongly. While it is off, its health agent (NPD heartbeat) is silent too.",
    remedy=(
        Step(
            "See what Azure says of the machine.",
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
                "{status:detailedStatus,message:detailedStatusMessage,cordon:cordonStatus,power:powerState,ready:readyState}",
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
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants powerState On and readyState True",
        ),
        Step("If it does not start, check the power feeds and reset the BMC (flea drain)."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-warning",
    ),
    leads_to=("nexus.bmm_not_ready", "nexus.vm_node_down"),
    ask="az networkcloud baremetalmachine list -o table",
)
