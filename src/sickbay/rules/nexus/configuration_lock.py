from sickbay.model.fabric import NetworkFabric
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


@each(NetworkFabric)
def fabric_is_locked(fabric: NetworkFabric, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if fabric.fabric_locks is None:
        return None
    if not fabric.is_locked("Configuration"):
        return Clear(f"{fabric.name} has no configuration lock")
    return Match(
        f"fabric {fabric.name} is under configuration lock",
        facts={"fabric": fabric.name, "fabric_group": fabric.ref.group},
        cites=(fabric.cite("properties.fabricLocks[lockType=Configuration].lockState", "Enabled"),),
    )


RULE = Rule(
    title="The network fabric is under configuration lock: a commit batch was begun and not ended",
    severity=Severity.WARNING,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        fabric_is_locked,
        Signature(
            pattern=r"(?i)fabric(?: resource)?(?: '?[\w-]{1,60}'?)? is (?:currently |already )?(?:in |under )?(?:a |the )?configuration(?:al)?[ -]lock(?:ed)?\b",
            says="an operation was refused because the fabric is under configuration lock",
            sample="Internal network patch failed as the network fabric resource is in Configuration locked state.",
            near_miss="Internal network patch failed as the network fabric configuration state is Failed.",
            weight=TYPICAL,
        ),
    ),
    why="Committing begins with a configuration lock, so that the reviewed difference is what reaches the devices. Until the batch is committed or discarded, other changes of the fabric are refused.",
    remedy=(
        Step(
            "See what is waiting.",
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
            "Commit it.",
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
            verify="az networkfabric fabric show -g {fabric_group} --resource-name {fabric} --query fabricLocks wants lockState Disabled",
        ),
        Step(
            "Or give up the batch that is waiting.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "discard-commit-batch",
                "-g",
                "{fabric_group}",
                "--network-fabric-name",
                "{fabric}",
                "--commit-batch-id",
                "<batch-id>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-network-fabric-resource-update-commit",
    ),
    leads_to=("nexus.isolation_domain_disabled", "nexus.fabric_upgrade_blocked"),
)
