from sickbay.model.fabric import NetworkFabric
from sickbay.model.nexus import same_word
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
def fabric_is_in_maintenance(fabric: NetworkFabric, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not fabric.administrative_state:
        return None
    if not same_word(fabric.administrative_state, "UnderMaintenance"):
        return Clear(f"{fabric.name} is {fabric.administrative_state}")
    return Match(
        f"fabric {fabric.name} is under maintenance",
        cites=(fabric.cite("properties.administrativeState", fabric.administrative_state),),
    )


RULE = Rule(
    title="The network fabric refuses operations in its internal state: an upgrade or maintenance runs",
    severity=Severity.WARNING,
    categories=(
        Category.UPGRADE,
        Category.CREATION,
    ),
    detect=(
        fabric_is_in_maintenance,
        Signature(
            pattern=r"(?i)failed due to its InternalOperationalState|fabric is blocked for any operation",
            says="the fabric or the tap is blocked for the moment",
            sample="Network tap resync failed as the Network Fabric is blocked for any operation",
            near_miss="Network tap resync failed as the associated fabric resource does not exist",
        ),
        Signature(
            pattern=r"(?i)fabric\b.{0,60}?(?:is )?(?:currently |still )?(?:under|in|undergoing|being) (?:an? )?(?:maintenance|upgraded?)\b",
            says="the fabric is under maintenance or upgrade",
            sample="Operation refused: network fabric fab1 is under maintenance",
            near_miss="Operation done: network fabric fab1 is enabled",
            weight=TYPICAL,
        ),
    ),
    why="While the runtime of the fabric is upgraded or a device is under maintenance, the internal state of its resources (InternalOperationalState) blocks every other operation.",
    remedy=(
        Step(
            "See whether an upgrade runs.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "show",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--query",
                "{admin:administrativeState,config:configurationState,version:fabricVersion}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until the upgrade has ended, then repeat the operation.",
            risk=Risk.SAFE,
            verify="az networkfabric fabric show wants administrativeState Enabled and configurationState Provisioned",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
)
