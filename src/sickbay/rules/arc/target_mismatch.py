from sickbay.model.arc import Appliance, ApplianceTarget
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


@each(ApplianceTarget)
def names_another_place(target: ApplianceTarget, snapshot: Snapshot) -> Match | Clear | None:
    bridges = [bridge for bridge in snapshot.some(Appliance) if target.is_for(bridge)]
    for bridge in bridges:
        difference = target.difference(bridge)
        if difference and not bridge.runs:
            return Match(
                f"{bridge.name} is in status {bridge.status or bridge.provisioning_state}, "
                f"and {difference}",
                facts={"difference": difference},
                cites=(bridge.cite("id", bridge.id), target.cite("location", target.location)),
                subject=bridge.ref,
            )
    names = ", ".join(bridge.name for bridge in bridges) or "no resource of that name"
    return Clear(f"the file of {target.name} agrees with {names}")


RULE = Rule(
    title="The files of the appliance name another location, group or subscription than its Azure resource has",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        names_another_place,
        Signature(
            pattern=r"(?i)(?:arcappliance|<name>-resource\.yaml|-resource\.yaml).{0,200}?(?:location|subscription|resource group) .{0,60}?(?:does not|doesn't|do not) match",
            says="the file and the Azure resource differ",
            sample="az arcappliance create: the location in contoso-resource.yaml does not match the location of the existing resource",
            near_miss="az arcappliance create: the location in contoso-resource.yaml is eastus",
            weight=TYPICAL,
        ),
    ),
    why="Location, subscription, resource group and name are fixed when the bridge is created, and the appliance VM is bound to those of its files. A resource elsewhere never hears from that VM: the status stays at WaitingForHeartbeat, or the creation fails. Nothing of this can be changed afterwards, so the appliance is deleted, the files are corrected, and it is deployed again.",
    remedy=(
        Step(
            "Compare the resource with <name>-resource.yaml[: {difference}].",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "[id,location,status]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
        Step(
            "Create the resource with the corrected files.",
            run=(
                "az",
                "arcappliance",
                "create",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
                "--kubeconfig",
                "<kubeconfig>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.waiting_for_heartbeat",
        "arc.appliance_offline",
    ),
)
