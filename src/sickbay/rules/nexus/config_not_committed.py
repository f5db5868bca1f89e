from sickbay.model.fabric import ExternalNetwork, InternalNetwork, L3IsolationDomain, NetworkFabric
from sickbay.model.ids import arm
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

_WAITING = {"accepted", "pendingcommit"}


@each(NetworkFabric)
def fabric_waits_for_commit(fabric: NetworkFabric, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    state = (fabric.configuration_state or "").casefold()
    if not state:
        return None
    if state not in _WAITING:
        return Clear(f"{fabric.name} is {fabric.configuration_state}")
    return Match(
        f"fabric {fabric.name} has configuration state {fabric.configuration_state}",
        facts={"fabric": fabric.name, "fabric_group": fabric.ref.group},
        cites=(fabric.cite("properties.configurationState", fabric.configuration_state),),
    )


def network_waits(part: NexusEntity, snapshot: Snapshot) -> Match | None:
    # A part that is not enabled yet is Accepted by nature.
    if not same_word(part.configuration_state, "Accepted") or not same_word(
        part.administrative_state, "Enabled"
    ):
        return None
    domain = snapshot.find(arm(part.ref.parent))
    fabric = domain.network_fabric_id if isinstance(domain, L3IsolationDomain) else None
    ref = arm(fabric) if fabric else None
    return Match(
        f"{part.name} is enabled, but its last change is only {part.configuration_state}",
        facts={
            "fabric": ref.name if ref else "<fabric>",
            "fabric_group": ref.group if ref else "<fabric-resource-group>",
        },
        cites=(part.cite("properties.configurationState", part.configuration_state),),
    )


RULE = Rule(
    title="A change of the network fabric was accepted but not committed to its devices",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(
        fabric_waits_for_commit,
        each(InternalNetwork, TYPICAL)(network_waits),
        each(ExternalNetwork, TYPICAL)(network_waits),
        Signature(
            pattern=r"(?i)(?:network )?fabric(?: resource)?(?:'s)?(?: '?[\w.-]+'?)? (?:is in |configuration ?state (?:is )?(?:in )?:? ?)'?Pending ?Commit|Only fabric commit operations are allowed",
            says="an operation was refused because the fabric waits for a commit",
            sample="Network tap resync failed as the network fabric configuration state is in PendingCommit",
            near_miss="Network tap resync failed as the network fabric configuration state is in Failed",
        ),
    ),
    why="Azure stores a change of the fabric first (Accepted), and pushes it to the devices only on commit. While a pending commit (PendingCommit) stands, the devices run the old configuration, and nearly every other operation on the fabric is refused.",
    remedy=(
        Step(
            "From fabric version 5.0.1 on, put the fabric under configuration lock first.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "lock-fabric",
                "--action",
                "Lock",
                "--lock-type",
                "Configuration",
                "--network-fabric-name",
                "{fabric}",
                "-g",
                "{fabric_group}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See what would change on the devices.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "view-device-configuration",
                "-g",
                "{fabric_group}",
                "--resource-name",
                "{fabric}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Commit the configuration.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "commit-configuration",
                "-g",
                "{fabric_group}",
                "--resource-name",
                "{fabric}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric fabric show -g {fabric_group} --resource-name {fabric} wants configurationState Provisioned or Succeeded",
        ),
        Step("Repeat the operation that was refused."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-network-fabric-resource-update-commit",
    ),
    leads_to=(
        "nexus.isolation_domain_disabled",
        "nexus.network_failed",
        "nexus.fabric_upgrade_blocked",
    ),
)
