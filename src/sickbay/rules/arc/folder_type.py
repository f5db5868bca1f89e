from sickbay.model.host_vcenter import FOLDER, VcenterPlace
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


@each(VcenterPlace)
def holds_no_vms(place: VcenterPlace, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if place.setting != FOLDER or not place.is_there:
        return None
    if place.holds_vms:
        return Clear(f"{place.path} is a VM and template folder")
    return Match(
        f"the folder {place.named} ({place.path}) is a {place.folder_type}, "
        "not a VM and template folder",
        cites=(place.cite("childTypes", ", ".join(place.child_types or ())),),
    )


RULE = Rule(
    title="The chosen vCenter folder is not a VM and template folder",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        holds_no_vms,
        Signature(
            pattern=r"(?i)unable to find (?:the |any )?(?:vm |virtual machine |vsphere )?folders?\b|(?:vsphere|vcenter|govc|datacenter|appliance).{0,120}?folder '?(?P<folder>[^']{1,80}?)'? (?:not found|does not exist)|folder '?(?P<wrong>[^']{1,80}?)'? is not a (?:VM|virtual machine)",
            says="the folder cannot be used for a VM",
            sample="Error: unable to find folders: folder 'arc-storage' not found in datacenter DC1",
            near_miss="Folder 'arc-vms' found in datacenter DC1",
            weight=TYPICAL,
        ),
    ),
    why="The template and the appliance VM can only be placed in a folder of the type VM and template. Storage folders, network folders and host and cluster folders look alike in the inventory and cannot be used.",
    remedy=(
        Step(
            "See the folders that can hold VMs.",
            run=(
                "govc",
                "find",
                "/",
                "-type",
                "f",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create a VM and template folder and choose it.",
            run=(
                "govc",
                "folder.create",
                "/<datacenter>/vm/arc",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Create the configuration files again with this folder.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "vmware",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-connect-vcenter-to-arc-using-script",
    ),
    ask="govc find / -type f",
)
