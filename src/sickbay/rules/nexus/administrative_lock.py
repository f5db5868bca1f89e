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
    if not fabric.is_locked("Administrative"):
        return Clear(f"{fabric.name} has no administrative lock")
    return Match(
        f"fabric {fabric.name} is under administrative lock",
        facts={"fabric": fabric.name, "fabric_group": fabric.ref.group},
        cites=(
            fabric.cite("properties.fabricLocks[lockType=Administrative].lockState", "Enabled"),
        ),
    )


RULE = Rule(
    title="The network fabric is administratively locked (admin lock), so changes are refused",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        fabric_is_locked,
        Signature(
            pattern=r"(?i)fabric(?: resource)?(?: '?[\w-]{1,60}'?)? is (?:currently |already )?(?:in |under )?(?:an |the )?administrative(?:ly)?[ -]lock(?:ed)?(?: state)?",
            says="an operation was refused because the fabric is administratively locked",
            sample="Network tap creation failed as the network fabric resource is in Administrative locked state.",
            near_miss="Network tap creation failed as the network fabric resource is in Enabled state.",
            weight=TYPICAL,
        ),
    ),
    why="An operator or a running upgrade can put an administrative lock on the fabric; until it is removed, every write but an update of the fabric controller is refused.",
    remedy=(
        Step(
            "See the locks, and ask who set them: an upgrade in progress must keep its lock.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "show",
                "-g",
                "{fabric_group}",
                "--resource-name",
                "{fabric}",
                "--query",
                "fabricLocks",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the lock.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "lock-fabric",
                "--action",
                "Unlock",
                "--lock-type",
                "Administrative",
                "--network-fabric-name",
                "{fabric}",
                "-g",
                "{fabric_group}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric fabric show -g {fabric_group} --resource-name {fabric} --query fabricLocks wants lockState Disabled",
        ),
        Step("Repeat the operation that was refused."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-set-administrative-lock-or-unlock-for-network-fabric",
    ),
    leads_to=(
        "nexus.isolation_domain_disabled",
        "nexus.network_failed",
        "nexus.fabric_upgrade_blocked",
    ),
)
