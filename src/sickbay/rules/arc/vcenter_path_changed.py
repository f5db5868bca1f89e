from sickbay.model.host_vcenter import TEMPLATE, VcenterPlace
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(VcenterPlace)
def is_not_there(place: VcenterPlace, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    # A template is made by `prepare` and may be deleted afterwards.
    if place.setting == TEMPLATE or place.is_there:
        return Clear(f"{place.named} is there, or need not be")
    return Match(
        f"the {place.setting} {place.named} of the files is not in vCenter",
        facts={"object": place.named},
        cites=(place.cite("named", place.named),),
    )


RULE = Rule(
    title="A datacenter, datastore, folder or pool in the appliance's vCenter path was moved, renamed or removed",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CREATION,
    ),
    detect=(
        is_not_there,
        Signature(
            pattern=r"(?i)Cannot retrieve (?:the )?vSphere \w+ '?(?P<object>[^':]{1,120})'?:? .{0,80}?not found|specified vSphere \w+ '(?P<thing>[^']{1,120})' does not exist|\b(?:datacenter|datastore(?: cluster)?|network|vApp|folder|resource pool|cluster) '(?P<path>/[^']{1,160})' not found",
            says="an object of the appliance's path is gone[: {object}]",
            sample="PreflightcheckError: InvalidEntityError: The specified vSphere Datastore 'vsan-ds-old' does not exist",
            near_miss="Cannot retrieve vSphere Network 'net': path 'net' resolves to multiple networks",
            unless=r"(?i)resource ?pool '[^']{0,120}\bResources' not found",
        ),
    ),
    why="The bridge keeps the inventory path that it was deployed to. When the VM was moved, or an object in the path was renamed or deleted, an upgrade stops with InvalidEntityError: the vSphere object cannot be retrieved or does not exist.",
    remedy=(
        Step(
            "See what is there.",
            run=(
                "govc",
                "find",
                "/",
                "-type",
                "s",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the object its old name and place back, or recover the bridge in the new place.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Repeat the upgrade.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",
    ),
    leads_to=("arc.upgrade_failed",),
    ask="govc find / -name <object>",
)
