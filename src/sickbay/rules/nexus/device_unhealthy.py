from sickbay.model.fabric import NetworkDevice
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

_OUT = {"disabled", "mat", "rma"}
_BAD = {"failed", "rejected", "errorprovisioning", "errordeprovisioning"}


@each(NetworkDevice)
def device_is_out(device: NetworkDevice, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    admin = (device.administrative_state or "").casefold()
    config = (device.configuration_state or "").casefold()
    # A device that was never taken into service has no configuration to lose.
    is_spare = admin == "disabled" and config in {"", "deprovisioned", "accepted"}
    if is_spare:
        return None
    if not device.is_unwell and admin not in _OUT and config not in _BAD:
        is_known = same_word(device.administrative_state, "Enabled")
        return Clear(f"device {device.name} is Enabled") if is_known else None
    return Match(
        f"device {device.name} is {device.administrative_state}, {device.provisioning_state}, its configuration {device.configuration_state}",
        cites=(
            device.cite("properties.administrativeState", device.administrative_state),
            device.cite("properties.configurationState", device.configuration_state),
        ),
    )


RULE = Rule(
    title="A device of the network fabric is out of service, or its configuration failed",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.UPGRADE),
    detect=(
        device_is_out,
        Signature(
            pattern=r"(?i)Device Unable to Boot Up|\bnetwork ?devices?\b.{0,120}?\b(?:is|are) not (?:in )?(?:the )?Enabled\b|\bnetwork ?devices?\b.{0,160}?(?:unable to boot|failed to boot|not in ZTP|RMA (?:failed|error)|failed (?:in|during) (?:RMA|ZTP))|\b(?:RMA|ZTP)\b.{0,80}?(?:failed|error|timed out|did not complete|not completed)|\bdevices?\b.{0,100}?(?:failed|failing|stuck in|timed out in) (?:the )?(?:RMA|ZTP|zero ?-?touch)",
            says="the device did not come up",
            sample="az networkfabric device update-admin-state --state RMA: Device Unable to Boot Up - Failed",
            near_miss="az networkfabric device update-admin-state --state RMA: done",
            weight=TYPICAL,
        ),
    ),
    why="A switch, router or packet broker of the fabric must be administratively Enabled and its configuration Succeeded (DeferredControl is allowed). One in maintenance, being replaced (RMA) or with a failed configuration does not carry its share, and an upgrade of the fabric does not start.",
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
                "properties.{admin:administrativeState,config:configurationState,last:lastOperation}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring it back: end the maintenance or the replacement, restore its management path, and let the fabric send its configuration again.",
            run=(
                "az",
                "networkfabric",
                "device",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--state",
                "Enable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric device show -g {resource_group} --resource-name {name} wants administrativeState Enabled and configurationState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-upgrade-nexus-fabric",),
    leads_to=("nexus.fabric_failed", "nexus.fabric_upgrade_blocked", "nexus.bgp_not_established"),
)
