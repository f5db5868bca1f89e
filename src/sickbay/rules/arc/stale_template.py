from sickbay.model.host_vcenter import TEMPLATE, VcenterPlace
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
def is_left_over(place: VcenterPlace, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if place.setting != TEMPLATE or not place.is_there:
        return Clear("no template of an earlier preparation is left")
    return Match(
        f"the template {place.path} is left from an earlier preparation",
        cites=(place.cite("path", place.path),),
        # Every bridge keeps its template: only a host that refuses it makes a fault of it.
        felt_as=("arc.kva_timeout",),
        weight=TYPICAL,
    )


RULE = Rule(
    title="An old appliance template in vCenter is reused and no longer works (error during host configuration)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_left_over,
        Signature(
            pattern=r"(?i)An error occurred during host configuration",
            says="vCenter failed during host configuration",
            sample="Appliance cluster deployment failed with error: Error: An error occurred during host configuration",
            near_miss="Host configuration completed",
        ),
    ),
    why="After several deployments and deletions with the same VM template, vCenter refuses it: an error occurred during host configuration. The template has to be deleted by hand, so that prepare downloads a fresh one.",
    remedy=(
        Step(
            "Delete the old template in vCenter.",
            run=(
                "govc",
                "vm.destroy",
                "<template>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Download a new template.",
            run=(
                "az",
                "arcappliance",
                "prepare",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Deploy again.",
            run=(
                "az",
                "arcappliance",
                "deploy",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
