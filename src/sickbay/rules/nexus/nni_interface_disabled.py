from sickbay.model.fabric import DeviceInterface, Interconnect
from sickbay.model.ids import arm
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


@each(Interconnect)
def interface_is_off(nni: Interconnect, snapshot: Snapshot) -> Match | Clear | None:
    ids = [id for id in nni.stands_on() if id]
    for id in ids:
        interface = snapshot.get(arm(id), DeviceInterface)
        if interface is None or not same_word(interface.administrative_state, "Disabled"):
            continue
        device = arm(interface.ref.parent)
        return Match(
            f"{nni.name} uses {interface.name} of {device.name}, which is Disabled",
            facts={
                "interface": interface.name,
                "device": device.name,
                "device_group": device.group,
            },
            cites=(
                interface.cite("properties.administrativeState", interface.administrative_state),
                nni.cite("properties.layer2Configuration.interfaces", id),
            ),
        )
    return Clear(f"the interfaces of {nni.name} are enabled") if ids else None


RULE = Rule(
    title="An interconnect (NNI) of the fabric uses a network interface that is disabled",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        interface_is_off,
        Signature(
            pattern=r"(?i)(?:\bNNI\b|network ?to ?network ?interconnect).{0,160}?\binterfaces?\b ?'?(?P<interface>[\w./-]*)'?.{0,80}?(?:(?:is|are|was) not (?:in )?(?:administratively )?enabled|(?:is|are) (?:administratively )?disabled|port ?count .{0,40}?exceed)(?P<device>)(?P<device_group>)",
            says="an interface of the interconnect is not enabled",
            sample="NNI update failed as the interface Ethernet11-1 is not in Enabled state: network interface is not enabled.",
            near_miss="NNI update done; the interface Ethernet11-1 is in Enabled state.",
            weight=TYPICAL,
        ),
    ),
    why="An NNI joins the fabric with the provider's routers over interfaces of the edge devices. An update is refused, and the link carries nothing, while an interface that it names is administratively Disabled, or when portCount exceeds the number of its interfaces.",
    remedy=(
        Step(
            "Enable the interface.",
            run=(
                "az",
                "networkfabric",
                "interface",
                "update-admin-state",
                "-g",
                "{device_group}",
                "--network-device-name",
                "{device}",
                "--resource-name",
                "{interface}",
                "--state",
                "Enable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric interface show wants administrativeState Enabled",
        ),
        Step("Set portCount to the number of interfaces, and repeat the update of the NNI."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-update-network-to-network-interconnect",
    ),
    leads_to=("nexus.fabric_failed", "nexus.cluster_disconnected", "nexus.bgp_not_established"),
)
