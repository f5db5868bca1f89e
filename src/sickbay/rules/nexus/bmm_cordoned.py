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

_FELT = ("nexus.upgrade_prerequisites", "nexus.capacity_insufficient")


@each(BareMetalMachine)
def machine_is_cordoned(machine: BareMetalMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not machine.cordon_status:
        return None
    if not same_word(machine.cordon_status, "Cordoned"):
        return Clear(f"{machine.name} is {machine.cordon_status}")
    # One that is well was cordoned by a person, who may mean it.
    is_well = same_word(machine.ready_state, "True") and not machine.is_unwell
    return Match(
        f"machine {machine.name} is cordoned",
        cites=(machine.cite("properties.cordonStatus", machine.cordon_status),),
        felt_as=_FELT if is_well else (),
    )


RULE = Rule(
    title="A bare-metal machine is cordoned, so no new workload is placed on it",
    severity=Severity.WARNING,
    categories=(
        Category.NODES,
        Category.SCALING,
    ),
    detect=(
        machine_is_cordoned,
        Signature(
            pattern=r"(?i)(?:port-down|port-flap|lacp-down|nic-failed|kernel-memory)-cordon\W{1,4}true",
            says="the platform cordoned the machine because it is degraded",
            sample="platform.afo-nc.microsoft.com/port-down-cordon: true",
            near_miss="platform.afo-nc.microsoft.com/port-down-cordon: false",
        ),
        Signature(
            pattern=r"(?i)\bcustomer-cordon\W{1,4}true",
            says="an operator cordoned the machine",
            sample="platform.afo-nc.microsoft.com/customer-cordon: true",
            near_miss="platform.afo-nc.microsoft.com/customer-cordon: false",
        ),
        Signature(
            pattern=r"(?i)\b(?P<machine>[\w.-]+)\s+O(?:n|ff)\s+\w+\s+(?:True|False)\s+Cordoned\s+\w+",
            says="machine {machine} is cordoned",
            sample="rack1compute02 On Succeeded True Cordoned Provisioned The OS is provisioned to the machine.",
            near_miss="rack1compute03 On Succeeded True Uncordoned Provisioned The OS is provisioned to the machine.",
        ),
        Signature(
            pattern=r"(?i)\b(?:bare ?metal ?machines?|BMM|rack\w{0,20})\b.{0,120}?(?:stays?|is|still|remains?|shows?|was|stuck)\b.{0,24}?\b(?:auto(?:matically)?[- ]?)?cordoned\b|cordon ?status\b.{0,60}?(?:stays?|is|still|remains?)?\W{0,4}\bCordoned\b",
            says="a machine is cordoned",
            sample="Cordon status of rack1compute03 stays Cordoned",
            near_miss="Cordon status of rack1compute03 is Uncordoned",
            unless=r"(?i)Degraded:|Warning:|-cordon\W|CordonStatus\W",
            weight=TYPICAL,
        ),
    ),
    why="A machine is cordoned by an operator, or by the platform fifteen minutes after it became Degraded (link, LACP, card or memory); the platform takes back only its own cordon (an annotation such as port-down-cordon), two hours after recovery, never one by an operator (customer-cordon).",
    remedy=(
        Step(
            "See which machines are cordoned and why.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "list",
                "--query",
                "[].{name:name,cordon:cordonStatus,message:detailedStatusMessage}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair what makes it Degraded; where an operator cordoned it and forgot, uncordon it.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "uncordon",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants cordonStatus Uncordoned",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-degraded",
    ),
    leads_to=_FELT,
    ask="az networkcloud baremetalmachine list -o table",
)
