from sickbay.model.fabric import NetworkTap
from sickbay.model.nexus import same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_BAD = {"failed", "rejected"}


@each(NetworkTap)
def enabled_tap_is_failed(tap: NetworkTap, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    is_bad = tap.is_unwell or (tap.configuration_state or "").casefold() in _BAD
    if not is_bad:
        return Clear(f"tap {tap.name} is {tap.provisioning_state}") if tap.is_succeeded else None
    if same_word(tap.administrative_state, "Disabled") and not tap.is_unwell:
        return None
    return Match(
        f"tap {tap.name} is {tap.provisioning_state}, its configuration {tap.configuration_state}",
        cites=(
            tap.cite("properties.provisioningState", tap.provisioning_state),
            tap.cite("properties.configurationState", tap.configuration_state),
        ),
    )


RULE = Rule(
    title="A network tap is Failed, so no traffic is mirrored and the fabric cannot be upgraded",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(enabled_tap_is_failed,),
    why="The last change of the tap did not reach the packet broker: a rule, a destination or the broker was not in order. An enabled tap that is not Succeeded also keeps the fabric from being upgraded.",
    remedy=(
        Step(
            "Read what became of its last operation.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{subject}",
                "--query",
                "properties.lastOperation",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair what it names, then synchronise the tap again.",
            run=(
                "az",
                "networkfabric",
                "tap",
                "resync",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric tap show -g {resource_group} --resource-name {name} wants configurationState Succeeded",
        ),
        Step("If the tap is not needed, disable and delete it."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
    leads_to=("nexus.fabric_upgrade_blocked",),
)
