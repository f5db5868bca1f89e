from sickbay.model.fabric import (
    ExternalNetwork,
    Interconnect,
    InternalNetwork,
    L2IsolationDomain,
    L3IsolationDomain,
    NetworkFabric,
)
from sickbay.model.nexus import NexusEntity, same_word
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


def was_rejected(entity: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not entity.configuration_state:
        return None
    if not same_word(entity.configuration_state, "Rejected"):
        return Clear(f"the configuration of {entity.name} is {entity.configuration_state}")
    return Match(
        f"the last change of {entity.name} was rejected",
        cites=(entity.cite("properties.configurationState", entity.configuration_state),),
    )


RULE = Rule(
    title="The fabric rejected a change: its configuration state is Rejected",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        each(NetworkFabric)(was_rejected),
        each(L3IsolationDomain)(was_rejected),
        each(L2IsolationDomain)(was_rejected),
        each(InternalNetwork)(was_rejected),
        each(ExternalNetwork)(was_rejected),
        each(Interconnect)(was_rejected),
        Signature(
            pattern=r"(?i)\bconfiguration ?state\W{0,6}(?:is |in |was |: ?)?\W{0,3}Rejected\b",
            says="the last change was rejected",
            sample='"configurationState": "Rejected"',
            near_miss='"configurationState": "Succeeded"',
            weight=TYPICAL,
        ),
    ),
    why="An update of a fabric resource is validated before it may be committed. This one failed validation (Nexus config rejected): the devices run the old configuration, and the resource stays Rejected until a valid update follows. What was wrong is in the details of its last operation.",
    remedy=(
        Step(
            "Read what was wrong.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{subject}",
                "--query",
                "properties.lastOperation.details",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the values with an update of the resource (a second create is refused), then commit the fabric.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {subject} wants configurationState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-network-fabric-resource-update-commit",
    ),
    leads_to=("nexus.fabric_failed", "nexus.fabric_upgrade_blocked"),
)
